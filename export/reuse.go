package export

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"path"

	"github.com/pierrec/lz4/v4"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/reuse"
	"github.com/commonplace/commonplace/sorting"
	"github.com/commonplace/commonplace/table"
)

// Files of passim's folder. Spark writes a folder of parts, and its readers take all.
const (
	passimClusters = "out.json"
	passimPairs    = "align.json"
)

// reused are the files in which passim and TextPAIR have text reuse: copies in clusters,
// and matches between two documents. It holds one document and its matches, and sorts the
// rest through files.
type reused struct {
	job   *job
	stats reusedCounts

	pairs, lines, docs *file           // of passim; nil where not asked for
	textpair           *sorting.Sorter // lines of TextPAIR by their source
	written            map[int64]bool  // documents whose texts TextPAIR has
	metadata           *file
}

// reusedCounts is what became of the rows.
type reusedCounts struct {
	Copies   int64 `json:"copies"`   // in clusters
	Matches  int64 `json:"matches"`  // between two documents
	Worse    int64 `json:"worse"`    // left out: better ones have half of the words
	OfLists  int64 `json:"of_lists"` // left out: matches of listed quotations
	Withheld int64 `json:"withheld"` // left out with their texts

	Turned     int64 `json:"turned"`     // of the matches: found with the newer document as the source
	Undirected int64 `json:"undirected"` // of the matches: the dates do not say which document is older
	Twice      int64 `json:"twice"`      // left out: turned, they say what another match says
}

// reuseFormats are those that need alignments between documents.
var reuseFormats = []string{Passim, PassimDocwise, PassimLinewise, TextPAIR}

// checkReuse refuses a run without documents that are matched with each other.
func (j *job) checkReuse(format string) error {
	d, a, c := j.commits[table.Documents.Name], j.commits[table.Alignments.Name], j.commits[table.Clusters.Name]
	if a.Rows == 0 || len(a.Shards) != len(d.Shards) || c.Rows > 0 && len(c.Shards) != len(d.Shards) {
		return j.lacks("format "+format, table.Alignments.Name, table.Documents.Name)
	}
	if j.reused == nil {
		j.reused = &reused{job: j}
		j.all += 2 * len(d.Shards)
	}
	return nil
}

func (x *reused) export(ctx context.Context) error {
	if x.job.formats[Passim] && x.job.commits[table.Clusters.Name].Rows > 0 {
		if err := x.clusters(ctx); err != nil {
			return err
		}
	}
	if err := x.create(); err != nil {
		return err
	}
	var bySource, byTarget sorting.Sorter
	defer bySource.Close()
	defer byTarget.Close()
	if x.textpair != nil {
		defer x.textpair.Close()
	}
	if err := x.matches(ctx, &bySource); err != nil {
		return err
	}
	err := x.each(ctx, &bySource, func(m match) string { return m.SourceID }, func(doc *commonplace.Document, all []match) error {
		return x.source(doc, all, &byTarget)
	})
	if err != nil {
		return err
	}
	if err := x.each(ctx, &byTarget, func(m match) string { return m.DerivedID }, x.target); err != nil {
		return err
	}
	if x.stats.Matches == 0 && x.stats.Withheld == 0 {
		return fmt.Errorf("%w: %s has no matches between documents, which the formats of text reuse hold; "+
			"`commonplace find LIST in BOOKS --format passim` writes those of a list", ErrOptions, x.job.run)
	}
	return x.close()
}

// create begins the files that are asked for.
func (x *reused) create() (err error) {
	for _, f := range []struct {
		format, name string
		to           **file
	}{
		{Passim, passimPairs, &x.pairs}, {PassimLinewise, passimClusters, &x.lines}, {PassimDocwise, passimClusters, &x.docs},
	} {
		if err == nil && x.job.formats[f.format] {
			*f.to, err = x.job.folder.create(path.Join(f.format, f.name, "part-00000.json"))
		}
	}
	if err == nil && x.job.formats[TextPAIR] {
		x.textpair, x.written = &sorting.Sorter{}, map[int64]bool{}
		x.metadata, err = x.job.folder.create(path.Join(TextPAIR, "metadata", "metadata.json"))
	}
	return err
}

// match is an alignment on its way from its source to its target.
type match struct {
	commonplace.Alignment
	Turned bool                `json:",omitempty"` // was found the other way round
	Fields []commonplace.Field `json:",omitempty"` // of the source
	Side   reuse.Side          `json:",omitempty"` // of the source, for TextPAIR
}

// put sorts a match by one of its documents.
func (m match) put(to *sorting.Sorter, shards int, id string, begin int64) error {
	value, err := json.Marshal(m)
	if err != nil {
		return err
	}
	key := binary.BigEndian.AppendUint32(nil, uint32(table.ShardOf(id, shards)))
	key = append(append(key, id...), 0)
	key = binary.BigEndian.AppendUint64(key, uint64(begin))
	return to.Add(append(key, m.ID...), value)
}

// matches sorts the alignments between documents by source: the older document, where the
// dates say which one that is.
func (x *reused) matches(ctx context.Context, bySource *sorting.Sorter) error {
	shards := x.job.commits[table.Alignments.Name].ShardPaths(x.job.run)
	for _, at := range shards {
		for a, err := range table.Alignments.Rows(ctx, at) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			if a.DerivedID == "" {
				x.stats.OfLists++
				continue
			}
			if !x.job.rights.Documents(a.SourceID, a.DerivedID) {
				x.stats.Withheld++
				continue
			}
			m := match{}
			m.Alignment, m.Turned = reuse.Turned(a)
			if err := m.put(bySource, len(shards), m.SourceID, m.SourceBegin); err != nil {
				return err
			}
		}
	}
	return nil
}

// source adds what is known of the source, and sorts its matches by target.
func (x *reused) source(doc *commonplace.Document, all []match, byTarget *sorting.Sorter) error {
	offsets := commonplace.NewOffsets(doc.Text)
	for _, m := range all {
		m.Fields = reuse.Fields(doc)
		if x.textpair != nil {
			side, err := x.side(doc, offsets, m.SourceBegin, m.SourceEnd)
			if err != nil {
				return err
			}
			m.Side = side
		}
		if err := m.put(byTarget, len(x.job.commits[table.Documents.Name].Shards), m.DerivedID, m.DerivedBegin); err != nil {
			return err
		}
	}
	return nil
}

// each gives every document with its matches, of matches that are sorted by it.
func (x *reused) each(ctx context.Context, sorted *sorting.Sorter, id func(match) string, do func(*commonplace.Document, []match) error) error {
	documents := x.job.commits[table.Documents.Name].ShardPaths(x.job.run)
	shard, next := -1, newCursor(table.Documents, documents)
	defer next.stop()
	var all []match
	flush := func() error {
		if len(all) == 0 {
			return nil
		}
		doc, err := next.find(ctx, shard, id(all[0]))
		if err == nil {
			err = do(doc, all)
		}
		all = nil
		return err
	}
	err := sorted.Each(func(at, value []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		var m match
		if err := json.Unmarshal(value, &m); err != nil {
			return err
		}
		if len(all) > 0 && id(all[0]) != id(m) {
			if err := flush(); err != nil {
				return err
			}
		}
		shard = int(binary.BigEndian.Uint32(at))
		all = append(all, m)
		return nil
	})
	if err == nil {
		err = flush()
	}
	for range documents {
		x.job.done()
	}
	return err
}

// target writes the matches of one target.
func (x *reused) target(doc *commonplace.Document, all []match) error {
	of := map[string]match{}
	list := make([]commonplace.Alignment, len(all))
	for i, m := range all {
		of[m.ID], list[i] = m, m.Alignment
	}
	once := reuse.Once(list, func(id string) bool { return of[id].Turned })
	x.stats.Twice += int64(len(list) - len(once))
	list = once
	if !x.job.options.AllPairs {
		best := reuse.Best(list)
		x.stats.Worse += int64(len(list) - len(best))
		list = best
	}
	fields := reuse.Fields(doc)
	var offsets *commonplace.Offsets
	if x.textpair != nil {
		offsets = commonplace.NewOffsets(doc.Text)
	}
	var pairs []reuse.Pair
	for _, a := range list {
		x.stats.Matches++
		switch {
		case of[a.ID].Turned:
			x.stats.Turned++
		case a.SourceIs == "":
			x.stats.Undirected++
		}
		p := reuse.Pair{
			SourceID: a.SourceID, SourceBegin: a.SourceBegin, SourceEnd: a.SourceEnd, Source: a.SourceText, SourceFields: of[a.ID].Fields,
			TargetID: a.DerivedID, TargetBegin: a.DerivedBegin, TargetEnd: a.DerivedEnd, Target: a.DerivedText, TargetFields: fields,
		}
		if x.pairs != nil {
			x.pairs.Write(p.JSON())
		}
		if x.lines != nil {
			for _, l := range p.Lines() {
				x.lines.Write(p.LineJSON(l))
			}
		}
		if x.docs != nil {
			pairs = append(pairs, p)
		}
		if x.textpair != nil {
			side, err := x.side(doc, offsets, a.DerivedBegin, a.DerivedEnd)
			if err != nil {
				return err
			}
			key := append([]byte(a.SourceID), 0)
			key = binary.BigEndian.AppendUint64(key, uint64(a.SourceBegin))
			if err := x.textpair.Add(append(key, a.ID...), reuse.TextPAIR(of[a.ID].Side, side)); err != nil {
				return err
			}
		}
	}
	if x.docs != nil {
		x.docs.Write(reuse.Docwise(doc.ID, doc.Text, fields, pairs))
	}
	return nil
}

// side is a document's side of a match for TextPAIR, which also needs the text as a file
// of its own: its offsets count bytes there.
func (x *reused) side(doc *commonplace.Document, offsets *commonplace.Offsets, begin, end int64) (reuse.Side, error) {
	uid := reuse.UID(doc.ID)
	name := path.Join("texts", fmt.Sprintf("%016x.txt", uint64(uid)))
	if !x.written[uid] {
		f, err := x.job.folder.create(path.Join(TextPAIR, name))
		if err != nil {
			return nil, err
		}
		f.WriteString(doc.Text)
		if err := f.close(); err != nil {
			return nil, err
		}
		fields, err := json.Marshal(reuse.TextPAIRFields(doc, name))
		if err != nil {
			return nil, err
		}
		b := append(appendString([]byte{"{,"[min(len(x.written), 1)], '\n'}, doc.ID), ':')
		if _, err := x.metadata.Write(append(b, fields...)); err != nil {
			return nil, err
		}
		x.written[uid] = true
	}
	return reuse.NewSide(doc, name, offsets.Byte(int(begin)), offsets.Byte(int(end))), nil
}

// clusters writes the copies, the largest cluster first, as passim sorts them.
func (x *reused) clusters(ctx context.Context) error {
	var bySize sorting.Sorter
	defer bySize.Close()
	documents := x.job.commits[table.Documents.Name].ShardPaths(x.job.run)
	for k, at := range x.job.commits[table.Clusters.Name].ShardPaths(x.job.run) {
		err := beside(ctx, table.Documents, documents[k], table.Clusters, at, func(c *commonplace.Cluster) string { return c.DocID },
			func(doc *commonplace.Document, all []commonplace.Cluster) error {
				if !x.job.rights.Documents(doc.ID) {
					x.stats.Withheld += int64(len(all))
					return nil
				}
				fields := reuse.Fields(doc)
				for _, c := range all {
					p := reuse.Passage{ID: c.DocID, Size: c.Documents, Begin: c.Begin, End: c.End, Text: c.Text, Fields: fields}
					if c.FromID != "" {
						p.Source = []reuse.Extent{{UID: reuse.UID(c.FromID), Begin: c.FromBegin, End: c.FromEnd}}
					}
					value, err := json.Marshal(p)
					if err != nil {
						return err
					}
					key := binary.BigEndian.AppendUint64(nil, ^uint64(c.Documents))
					key = append(append(key, c.Cluster...), 0)
					key = append(append(key, c.DocID...), 0)
					if err := bySize.Add(binary.BigEndian.AppendUint64(key, uint64(c.Begin)), append(append([]byte(c.Cluster), 0), value...)); err != nil {
						return err
					}
				}
				return nil
			})
		if err != nil {
			return err
		}
	}
	to, err := x.job.folder.create(path.Join(Passim, passimClusters, "part-00000.json"))
	if err != nil {
		return err
	}
	number, last := int64(-1), ""
	err = bySize.Each(func(_, value []byte) error {
		name, row := cutZero(value)
		if number < 0 || name != last {
			number, last = number+1, name
		}
		var p reuse.Passage
		if err := json.Unmarshal(row, &p); err != nil {
			return err
		}
		p.Cluster = number
		x.stats.Copies++
		_, err := to.Write(p.JSON())
		return err
	})
	if err != nil {
		return err
	}
	return to.close()
}

// close finishes the files.
func (x *reused) close() error {
	for _, f := range []*file{x.pairs, x.lines, x.docs} {
		if f == nil {
			continue
		}
		if err := f.close(); err != nil {
			return err
		}
	}
	if x.textpair == nil {
		return nil
	}
	if len(x.written) == 0 {
		x.metadata.WriteString("{")
	}
	x.metadata.WriteString("\n}\n")
	if err := x.metadata.close(); err != nil {
		return err
	}
	to, err := x.job.folder.create(path.Join(TextPAIR, "results", "alignments.jsonl.lz4"))
	if err != nil {
		return err
	}
	w := lz4.NewWriter(to)
	if err := w.Apply(lz4.ConcurrencyOption(1)); err != nil {
		return err
	}
	if err := x.textpair.Each(func(_, line []byte) error {
		_, err := w.Write(line)
		return err
	}); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := to.close(); err != nil {
		return err
	}
	count, err := x.job.folder.create(path.Join(TextPAIR, "results", "count.txt"))
	if err != nil {
		return err
	}
	fmt.Fprint(count, x.stats.Matches)
	return count.close()
}

// describe says in the card what the files are.
func (x *reused) describe() []string {
	var lines []string
	s := x.stats
	if x.job.formats[Passim] {
		lines = append(lines, fmt.Sprintf("`passim/`: `out.json` and `align.json` of passim 2: %s in clusters, %s", numberOf(s.Copies, "copy"), numberOf(s.Matches, "match")))
	}
	if x.docs != nil || x.lines != nil {
		lines = append(lines, "`passim-docwise/`, `passim-linewise/`: passim's collations")
	}
	if x.textpair != nil {
		lines = append(lines, "`textpair/`: what TextPAIR's page loads, "+numberOf(s.Matches, "match"))
	}
	if s.Turned > 0 {
		found, turned := "were", "they are"
		if s.Turned == 1 {
			found, turned = "was", "it is"
		}
		lines = append(lines, fmt.Sprintf("%s %s found with the newer document as the source. In passim's and TextPAIR's files %s turned, so that the source is the older document by the dates", numberOf(s.Turned, "match"), found, turned))
	}
	if s.Undirected > 0 {
		lines = append(lines, "in passim's and TextPAIR's files, the dates do not say which document is older, and either can be the source: "+numberOf(s.Undirected, "match"))
	}
	if s.Worse > 0 {
		lines = append(lines, "not in passim's and TextPAIR's files, because better matches have their words: "+numberOf(s.Worse, "match"))
	}
	if s.OfLists > 0 {
		lines = append(lines, fmt.Sprintf("not in passim's and TextPAIR's files: %s of listed quotations", numberOf(s.OfLists, "match")))
	}
	return lines
}
