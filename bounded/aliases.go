package bounded

import (
	"bytes"
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxAliased is how many values the aliases of a YAML file may stand for.
const maxAliased = 100_000

// textOfValue is how many bytes of text an alias repeats at the cost of one value more.
const textOfValue = 64

// checkAliases refuses YAML whose aliases stand for too many values. The decoder puts
// all values of an anchor in the place of each of its aliases, and nine lines of ten
// aliases to the line before are a billion values. What is no YAML passes: the
// decoder says so.
func checkAliases(raw []byte) error {
	if !bytes.ContainsRune(raw, '&') || !bytes.ContainsRune(raw, '*') {
		return nil
	}
	return Parsed(func() error {
		file, err := parser.ParseBytes(raw, 0)
		if err != nil {
			return nil
		}
		a := &aliases{anchors: map[string][]ast.Node{}, weights: map[string]int64{}}
		for _, doc := range file.Docs {
			if doc.Body != nil {
				ast.Walk(anchorFinder(a.anchors), doc.Body)
			}
		}
		aliased := int64(0)
		for _, doc := range file.Docs {
			if doc.Body != nil {
				_, more := a.weigh(doc.Body)
				aliased += more
			}
		}
		switch {
		case a.circle != "":
			return fmt.Errorf("the alias *%s stands within the values of its own anchor &%s", a.circle, a.circle)
		case aliased > maxAliased:
			return fmt.Errorf("the aliases of the YAML stand for more than %d values: over the limit, which is fixed", maxAliased)
		}
		return nil
	})
}

// aliases counts what the aliases of a file stand for. It does not rely on the order in
// which the decoder meets anchors: of several with one name the heaviest counts.
type aliases struct {
	anchors map[string][]ast.Node // what stands at the anchors of a name
	weights map[string]int64      // of names that are weighed; -1 while they are
	circle  string                // a name that stands for itself
}

// weigh counts the values of a node: its own, and those that its aliases stand for.
func (a *aliases) weigh(n ast.Node) (own, aliased int64) {
	w := &weigher{aliases: a}
	ast.Walk(w, n)
	return w.own, w.aliased
}

// weight is what one alias stands for, never much more than the limit.
func (a *aliases) weight(name string) int64 {
	if known, ok := a.weights[name]; ok {
		if known < 0 {
			a.circle = name
		}
		return max(0, known)
	}
	a.weights[name] = -1
	heaviest := int64(0)
	for _, n := range a.anchors[name] {
		own, aliased := a.weigh(n)
		heaviest = max(heaviest, own+aliased)
	}
	a.weights[name] = min(heaviest, maxAliased+1) // sums stay small
	return a.weights[name]
}

type weigher struct {
	*aliases
	own, aliased int64
}

func (w *weigher) Visit(n ast.Node) ast.Visitor {
	if alias, ok := n.(*ast.AliasNode); ok {
		w.aliased += w.weight(anchorName(alias.Value))
		return nil
	}
	w.own++
	if t := n.GetToken(); t != nil {
		w.own += int64(len(t.Value)) / textOfValue
	}
	return w
}

type anchorFinder map[string][]ast.Node

func (f anchorFinder) Visit(n ast.Node) ast.Visitor {
	if anchor, ok := n.(*ast.AnchorNode); ok && anchor.Value != nil {
		name := anchorName(anchor.Name)
		f[name] = append(f[name], anchor.Value)
	}
	return f
}

func anchorName(n ast.Node) string { return n.GetToken().Value }
