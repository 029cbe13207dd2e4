package engine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Parts are short hashes of what a task's fingerprint covers, by name. A shard's
// record has them, so that a later build can say what changed. A name is a kind,
// or a kind and the name of one thing of that kind: "document: weathers".
type Parts map[string]string

// Kinds of parts that the engine itself knows.
const (
	partRevision = "revision"
	partFormat   = "format"
	partSettings = "settings"
	partShard    = "shard"    // of a table, which the task reads
	partTable    = "table"    // which the task reads whole
	partConcerns = "concerns" // what of whole tables concerns the shard
	partOutside  = "outside"  // external inputs that have no names
)

// Add adds one thing of a kind. What has a name already counts together.
func (p Parts) Add(kind, name string, of ...any) {
	key := kind + ": " + name
	p[key] = storage.Key(p[key], of)
}

// OnePart is an external input that is the only one of its kind; none if empty.
func OnePart(kind, contents string) Parts {
	if contents == "" {
		return nil
	}
	return Parts{kind: storage.Key(contents)}
}

// with has what is in either.
func (p Parts) with(more Parts) Parts {
	if len(more) == 0 {
		return p
	}
	all := make(Parts, len(p)+len(more))
	maps.Copy(all, p)
	maps.Copy(all, more)
	return all
}

// partsOf are the parts of what [Task.FingerprintWith] hashes.
func partsOf(t Task, revision int, inputs []Input, concerns string, external Parts) Parts {
	p := Parts{partRevision: fmt.Sprint(revision), partFormat: fmt.Sprint(table.Format), partSettings: storage.Key(t.Settings)}
	for _, in := range inputs {
		p[inputPart(in)] = storage.Key(in.SHA256)
	}
	if concerns != "" {
		p[partConcerns] = storage.Key(concerns)
	}
	return p.with(external)
}

// partsOr are the parts that all tasks have, or one that stands for all contents.
func (e External) partsOr(contents string) Parts {
	if e.Parts != nil || e.PartsOf != nil {
		return e.Parts
	}
	return OnePart(partOutside, contents)
}

func inputPart(in Input) string {
	if in.Of > 0 {
		return partTable + ": " + in.Table
	}
	return partShard + ": " + in.Table
}

// What may have become of a part.
const (
	partIsNew   = "new"
	partIsGone  = "gone"
	partChanged = "changed"
)

// eachChange gives the parts in which two sets differ, by name.
func eachChange(was, is Parts, do func(key, how string)) {
	for _, key := range slices.Sorted(maps.Keys(is.with(was))) {
		before, there := was[key]
		now, still := is[key]
		switch {
		case !there:
			do(key, partIsNew)
		case !still:
			do(key, partIsGone)
		case before != now:
			do(key, partChanged)
		}
	}
}
