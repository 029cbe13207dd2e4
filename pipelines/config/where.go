package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/commonplace/commonplace/align/pairs"
)

// Conditions say which documents of a source are taken: of each field that is named, a
// document must have one of the values. The values of date are periods.
type Conditions map[string]oneOrMore

// oneOrMore are texts, of which a config may write one without brackets. They are as they are
// written: 0012 is no number.
type oneOrMore []string

// UnmarshalYAML leaves no value where something else is written, which the check refuses.
func (v *oneOrMore) UnmarshalYAML(node ast.Node) error {
	nodes := []ast.Node{node}
	if list, is := node.(*ast.SequenceNode); is {
		nodes = list.Values
	}
	var read oneOrMore
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
			read = append(read, n.GetToken().Value)
		case *ast.LiteralNode:
			read = append(read, strings.TrimSpace(n.Value.Value))
		default:
			return nil
		}
	}
	*v = read
	return nil
}

const aPeriod = "a date or a period such as 1850, 1850-03, 1850/1865, 1850/.. or ../1865, or a list of them"

// checkWhere refuses conditions that no document can meet.
func (c *Config) checkWhere(key string, where Conditions) error {
	for _, field := range slices.Sorted(maps.Keys(where)) {
		at := key + "." + field
		if strings.TrimSpace(field) == "" {
			return c.Refuse(key, fmt.Sprintf("a map with the key %q", field), "a map whose keys are fields of documents, such as author")
		}
		if len(where[field]) == 0 {
			return c.Refuse(at, "nothing that can be read", "a text or a list of texts")
		}
		for _, value := range where[field] {
			if strings.TrimSpace(value) == "" {
				return c.Refuse(at, value, "a text or a list of texts; a document without a value meets no condition")
			}
			if _, _, known := pairs.Period(value); field == "date" && !known {
				return c.Refuse(at, value, aPeriod)
			}
		}
	}
	return nil
}
