package engine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// differences gather what changed over all stale shards of a stage.
type differences struct {
	stage    *registered
	shards   int
	concerns []string // tables of which a section concerns each shard

	missing  []int // shards without a whole file and record
	unknown  []int // shards whose records have no parts
	reread   []int // shards whose input changed while it was read
	revision string
	settings bool
	tables   map[string][]int             // input tables, and the shards that changed
	whole    map[string]bool              // input tables that are read whole
	section  []int                        // shards of which the section changed
	named    map[string]map[string]string // kind, name: what became of it
	plain    map[string]bool              // kinds of which there is one
}

// compare adds the differences of one shard.
func (d *differences) compare(shard int, was, is Parts) {
	if was == nil {
		d.unknown = append(d.unknown, shard)
		return
	}
	if d.tables == nil {
		d.tables, d.whole, d.named, d.plain = map[string][]int{}, map[string]bool{}, map[string]map[string]string{}, map[string]bool{}
	}
	differs := false
	eachChange(was, is, func(key, how string) {
		differs = true
		kind, name, named := strings.Cut(key, ": ")
		switch {
		case kind == partRevision:
			d.revision = fmt.Sprintf("revision %s of stage %s was raised to %s", was[key], d.stage.Name, is[key])
		case kind == partSettings:
			d.settings = true
		case kind == partShard:
			d.tables[name] = append(d.tables[name], shard)
		case kind == partTable:
			d.whole[name] = true
		case kind == partConcerns:
			d.section = append(d.section, shard)
		case named:
			if d.named[kind] == nil {
				d.named[kind] = map[string]string{}
			}
			d.named[kind][name] = how
		default:
			d.plain[kind] = true
		}
	})
	if !differs {
		d.reread = append(d.reread, shard)
	}
}

// unfinished says which shards of a table without a commit record are not there.
func (d *differences) unfinished() []string {
	if len(d.missing) == d.shards {
		return nil
	}
	if len(d.missing) == 0 {
		return append([]string{"the table was not committed"}, d.words(nil, nil)...)
	}
	missing := d.missing
	d.missing = nil
	return append([]string{verb(missing, d.shards, "is", "are") + " not made yet"}, d.words(nil, nil)...)
}

// words are the reasons. was and is are the settings.
func (d *differences) words(was, is json.RawMessage) []string {
	var reasons []string
	add := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	if d.revision != "" {
		add("%s: it makes other rows", d.revision)
	}
	if d.plain[partFormat] {
		add("the program writes another format of tables")
	}
	if d.settings {
		reasons = append(reasons, settingsInWords(d.stage, was, is)...)
	}
	for _, kind := range slices.Sorted(maps.Keys(d.named)) {
		reasons = append(reasons, namesInWords(kind, d.named[kind])...)
	}
	for _, kind := range slices.Sorted(maps.Keys(d.plain)) {
		switch kind {
		case partFormat:
		case partOutside:
			add("its external inputs changed")
		default:
			add("the %s changed", kind)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.whole)) {
		if because := d.stage.Because[name]; because != "" {
			add("%s changed, and with it %s", name, because)
		} else {
			add("%s changed, and every shard reads all of it", name)
		}
		delete(d.tables, name)
	}
	for _, name := range slices.Sorted(maps.Keys(d.tables)) {
		add("%s changed in %s", name, shardsInWords(d.tables[name], d.shards))
	}
	if len(d.section) > 0 {
		add("what concerns %s in %s changed", shardsInWords(d.section, d.shards), cmp.Or(strings.Join(d.concerns, ", "), "other tables"))
	}
	if len(d.reread) > 0 {
		add("an input changed while %s made", verb(d.reread, d.shards, "was", "were"))
	}
	if len(d.missing) > 0 {
		add("%s missing or damaged", verb(d.missing, d.shards, "is", "are"))
	}
	if len(d.unknown) > 0 {
		add("the records of %s do not name what they were made from (they are of version 0.1.0)", shardsInWords(d.unknown, d.shards))
	}
	return reasons
}

// mostNames are how many names a reason lists before it counts them.
const mostNames = 3

// listed are the first names, and how many more there are.
func listed(names []string) string {
	if more := len(names) - mostNames; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNames], ", "), more)
	}
	return strings.Join(names, ", ")
}

// shardsInWords names shards of so many.
func shardsInWords(shards []int, of int) string {
	switch {
	case len(shards) == of && of > 1:
		return fmt.Sprintf("all %d shards", of)
	case len(shards) == 1:
		return fmt.Sprintf("shard %d of %d", shards[0], of)
	}
	slices.Sort(shards)
	var names []string
	for _, k := range shards {
		names = append(names, fmt.Sprint(k))
	}
	return fmt.Sprintf("shards %s of %d", listed(names), of)
}

// verb names shards with a verb that agrees with their number.
func verb(shards []int, of int, one, many string) string {
	if len(shards) == 1 {
		many = one
	}
	return shardsInWords(shards, of) + " " + many
}

// namesInWords says what became of the things of a kind: "documents a, b are new".
func namesInWords(kind string, became map[string]string) []string {
	var reasons []string
	for _, how := range []string{partIsNew, partIsGone, partChanged} {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(became)) {
			if became[name] == how {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			continue
		}
		what, is := kind, "is "
		if len(names) > 1 {
			first, rest, of := strings.Cut(kind, " ") // files of spans
			what, is = first+"s", "are "
			if of {
				what += " " + rest
			}
		}
		if how == partChanged {
			is = ""
		}
		reasons = append(reasons, fmt.Sprintf("%s %s %s%s", what, listed(names), is, how))
	}
	return reasons
}

// settingsInWords says in which settings those of a stage differ from those that
// its table was made with.
func settingsInWords(stage *registered, was, is json.RawMessage) []string {
	var a, b any
	if json.Unmarshal(was, &a) != nil || json.Unmarshal(is, &b) != nil {
		return []string{"its settings changed"}
	}
	all := stage.differing(a, b)
	if more := len(all) - mostNames; more > 0 {
		all = append(all[:mostNames], fmt.Sprintf("%d more settings changed", more))
	}
	return all
}
