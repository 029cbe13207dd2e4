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
}

// reuseFormats are those that need alignments between documents.
var reuseFormats = []string{Passim, PassimDocwise, PassimLinewise, TextPAIR}

// checkReuse refuses a run without documents that are matched with each other.
func (j *job) checkReuse(format string) error {
	d, a, c := j.commits[table.Documents.Name], j.commits[table.Alignments.Name], j.commits[table.Clusters.Name]
	if a.Rows == 0 || len(a.Shards) != len(d.Shards) || c.Rows > 0 && len(c.Shards) != len(d.Shards) {
		return fmt.Errorf("%w: format %s needs the tables documents and alignments of one run, and %s has them not", ErrOptions, format, j.run)
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
	byTarget := &sorting.Sorter{}
	defer byTarget.Close()
	if x.textpair != nil {
		defer x.textpair.Close()
	}
	if err := x.sources(ctx, byTarget); err != nil {
		return err
	}
	if err := x.targets(ctx, byTarget); err != nil {
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
	Fields []commonplace.Field
	Side   reuse.Side `json:",omitempty"` // of the source, for TextPAIR
}

// sources reads alignments beside their sources, and sorts them by target.
func (x *reused) sources(ctx context.Context, byTarget *sorting.Sorter) error {
	documents := x.job.commits[table.Documents.Name].ShardPaths(x.job.run)
	for k, at := range x.job.commits[table.Alignments.Name].ShardPaths(x.job.run) {
		err := beside(ctx, table.Documents, documents[k], table.Alignments, at, func(a *commonplace.Alignment) string { return a.SourceID },
			func(doc *commonplace.Document, all []commonplace.Alignment) error {
				offsets := commonplace.NewOffsets(doc.Text)
				for _, a := range all {
					if a.DerivedID == "" {
						x.stats.OfLists++
						continue
					}
					if !x.job.rights.Documents(a.SourceID, a.DerivedID) {
						x.stats.Withheld++
						continue
					}
					m := match{Alignment: a, Fields: reuse.Fields(doc)}
					if x.textpair != nil {
						side, err := x.side(doc, offsets, a.SourceBegin, a.SourceEnd)
						if err != nil {
							return err
						}
						m.Side = side
					}
					value, err := json.Marshal(m)
					if err != nil {
						return err
					}
					key := binary.BigEndian.AppendUint32(nil, uint32(table.ShardOf(a.DerivedID, len(documents))))
					key = append(append(key, a.DerivedID...), 0)
					key = binary.BigEndian.AppendUint64(key, uint64(a.DerivedBegin))
					if err := byTarget.Add(append(key, a.ID...), value); err != nil {
						return err
					}
				}
				return nil
			})
		if err != nil {
			return err
		}
		x.job.done()
	}
	return nil
}

// targets reads the sorted alignments beside their targets.
func (x *reused) targets(ctx context.Context, byTarget *sorting.Sorter) error {
	documents := x.job.commits[table.Documents.Name].ShardPaths(x.job.run)
	shard, next := -1, newCursor(table.Documents, documents)
	defer next.stop()
	var all []match
	flush := func() error {
		if len(all) == 0 {
			return nil
		}
		doc, err := next.find(ctx, shard, all[0].DerivedID)
		if err == nil {
			err = x.target(doc, all)
		}
		all = nil
		return err
	}
	err := byTarget.Each(func(at, value []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		var m match
		if err := json.Unmarshal(value, &m); err != nil {
			return err
		}
		if len(all) > 0 && all[0].DerivedID != m.DerivedID {
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
	if x.job.formats[Passim] {
		lines = append(lines, fmt.Sprintf("`passim/`: `out.json` and `align.json` of passim 2: %s copies in clusters, %s matches", thousands(x.stats.Copies), thousands(x.stats.Matches)))
	}
	if x.docs != nil || x.lines != nil {
		lines = append(lines, "`passim-docwise/`, `passim-linewise/`: passim's collations")
	}
	if x.textpair != nil {
		lines = append(lines, fmt.Sprintf("`textpair/`: what TextPAIR's page loads, %s matches", thousands(x.stats.Matches)))
	}
	if x.stats.Worse > 0 {
		lines = append(lines, fmt.Sprintf("of passim's and TextPAIR's files %s matches are left out whose words have a better source", thousands(x.stats.Worse)))
	}
	if x.stats.OfLists > 0 {
		lines = append(lines, thousands(x.stats.OfLists)+" matches of listed quotations are not in passim's and TextPAIR's files")
	}
	return lines
}
