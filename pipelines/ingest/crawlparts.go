package ingest

import (
	"bufio"
	"cmp"
	"io"
	"strings"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/pipelines/engine"
)

// namedDocuments is how many documents a shard may have whose record names each of
// them, at some 40 bytes. The record of a larger shard names their sources.
const namedDocuments = 1000

// itemParts gather the parts of a shard's fingerprint, by document or by source.
type itemParts struct {
	engine.Parts
	bySource bool
}

func (p itemParts) add(it item) {
	if p.bySource {
		p.Add("source", it.Source, it.decides())
		return
	}
	p.Add("document", crawl.Printable(cmp.Or(it.ID.String(), it.Rel)), it.decides())
}

// partsOf are the parts of a task that reads these items.
func partsOf(list []item) engine.Parts {
	p := itemParts{engine.Parts{}, len(list) > namedDocuments}
	for _, it := range list {
		p.add(it)
	}
	return p.Parts
}

// parts are those of some tasks, to be compared with what their records have.
func (l *listing) parts(was map[int]engine.Parts, path string) (map[int]engine.Parts, error) {
	is := map[int]engine.Parts{}
	of := map[int]itemParts{}
	for k, before := range was {
		is[k] = engine.Parts{}
		of[k] = itemParts{is[k], namesSources(before)}
	}
	_, err := l.write(bufio.NewWriter(io.Discard), path, func(shard int, it item) {
		if p, asked := of[shard]; asked {
			p.add(it)
		}
	})
	return is, err
}

func namesSources(p engine.Parts) bool {
	for key := range p {
		if strings.HasPrefix(key, "source: ") {
			return true
		}
	}
	return false
}
