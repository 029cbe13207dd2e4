package ingest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/pairs"
	"github.com/commonplace/commonplace/crawl/language"
	"github.com/commonplace/commonplace/label/group"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/table"
)

// What the tasks count of a source with conditions, each before the source's name. The names
// of fields stand between, as a Go string.
const (
	chosen  = "taken by where: "
	leftOut = engine.LeftOut + ": "
	lacks   = "left out without " // a field of the conditions
	has     = "left out with "    // another, of a document that lacks one
)

// mostNames are more names of fields than a message has room for.
const mostNames = 20

// leaver leaves documents out that do not meet their sources' conditions, and counts them.
type leaver struct {
	o     *engine.Output[commonplace.Document]
	named map[string]bool // fields that were counted
}

func (l *leaver) out(d *commonplace.Document, where config.Conditions) bool {
	if len(where) == 0 {
		return false
	}
	met, lacking := true, false
	for _, field := range slices.Sorted(maps.Keys(where)) {
		there, meets := condition(d, field, where[field])
		if !there {
			l.o.Count(fmt.Sprintf("%s%q: %s", lacks, field, d.Source), 1)
		}
		met, lacking = met && meets, lacking || !there
	}
	if met {
		l.o.Count(chosen+d.Source, 1)
		return false
	}
	l.o.Count(engine.LeftOut, 1)
	l.o.Count(leftOut+d.Source, 1)
	for _, f := range d.Metadata {
		name := fmt.Sprintf("%s%q: %s", has, f.Name, d.Source)
		if lacking && !l.named[name] && len(l.named) < mostNames {
			if l.named == nil {
				l.named = map[string]bool{}
			}
			l.named[name] = true
			l.o.Count(name, 1)
		}
	}
	return true
}

// condition says whether a document has a value of a field, and whether one of them is wanted.
// Each element of a list is a value.
func condition(d *commonplace.Document, field string, wanted []string) (there, met bool) {
	for value := range d.Values(field) {
		elements := commonplace.Listed(value)
		if elements == nil {
			elements = []string{value}
		}
		if field == "language" { // en; fr
			elements = strings.Split(value, "; ")
		}
		for _, e := range elements {
			there = there || strings.TrimSpace(e) != ""
			met = met || slices.ContainsFunc(wanted, func(w string) bool { return means(field, e, w) })
		}
	}
	return there, met
}

// means says whether a value of a field is the one that a condition has.
func means(field, value, wanted string) bool {
	switch field {
	case "author":
		if len(group.AuthorNames(value)) > 0 && len(group.AuthorNames(wanted)) > 0 {
			return group.SameAuthor(value, wanted)
		}
	case "language":
		a, _ := language.Code(value)
		b, _ := language.Code(wanted)
		return value == wanted || a != "" && a == b
	case "date":
		first, last, known := pairs.Days(value)
		from, to, _ := pairs.Period(wanted)
		return known && from <= first && last <= to
	}
	return value == wanted
}

// Check refuses conditions with a field that no document of their source has: a wrong name
// would leave out all of them.
func (Crawl) Check(_ context.Context, _ string, c table.Commit) (engine.Checks, error) {
	var sources map[string]config.Source
	if err := (engine.Task{Settings: c.Config}).Decode(&sources); err != nil {
		return nil, err
	}
	for _, source := range slices.Sorted(maps.Keys(sources)) {
		n := c.Counts[leftOut+source]
		if n == 0 || c.Counts[chosen+source] > 0 {
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(sources[source].Where)) {
			if c.Counts[fmt.Sprintf("%s%q: %s", lacks, field, source)] == n && !slices.Contains(commonplace.Describing, field) {
				names := otherFields(c, source)
				return nil, fmt.Errorf("%w: where of the source %s: none of its %s has a field %q (the nearest is %q); the fields are %s", config.ErrInvalid,
					source, commonplace.CountOf(n, "document"), field, config.Nearest(field, names), strings.Join(names, ", "))
			}
		}
	}
	return nil, nil
}

// otherFields are those that a source's documents have, as far as they were counted.
func otherFields(c table.Commit, source string) []string {
	names := slices.Clone(commonplace.Describing)
	for _, counted := range slices.Sorted(maps.Keys(c.Counts)) {
		var name string
		if rest, is := strings.CutPrefix(counted, has); is && strings.HasSuffix(rest, ": "+source) {
			if _, err := fmt.Sscanf(strings.TrimSuffix(rest, ": "+source), "%q", &name); err == nil {
				names = append(names, name)
			}
		}
	}
	return names
}

// leftOutNotes say of each source how many documents its conditions leave out.
func leftOutNotes(c table.Commit) []string {
	var notes []string
	for _, counted := range slices.Sorted(maps.Keys(c.Counts)) {
		source, is := strings.CutPrefix(counted, leftOut)
		if !is {
			continue
		}
		n, taken := c.Counts[counted], c.Counts[chosen+source]
		note := fmt.Sprintf("%s: %s left out by where, %d taken", source, commonplace.CountOf(n, "document"), taken)
		if taken == 0 {
			note = fmt.Sprintf("%s: where leaves out every document, %d of %d; see its values in the config", source, n, n)
		}
		notes = append(notes, note)
	}
	return notes
}
