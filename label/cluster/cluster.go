// Package cluster gathers the copies of a passage that many documents have: the places
// that alignments join, directly or through others.
//
// Two places of one document are one copy if they share at least two thirds of the longer
// one, or if they overlap and both are copies of the same third. This breaks chains: a
// passage and the page around it are two copies, and so are two passages that share a formula. The package keeps 32 bytes an alignment and its documents'
// ids, no text.
package cluster

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label/internal/disjoint"
)

// Days are the first and the last day that a document's date can mean.
type Days struct {
	First, Last int
	Known       bool
}

// Finder gathers alignments between documents. The zero value is ready.
type Finder struct {
	ids    map[string]int32
	names  []string
	places []place // of every alignment two, one behind the other
}

// place is one side of an alignment.
type place struct {
	doc        int32
	begin, end int32
	like       float32 // similarity of the alignment
}

// Add takes an alignment. One of a listed quotation joins no documents and is passed over.
func (f *Finder) Add(a commonplace.Alignment) {
	if a.DerivedID == "" || a.DerivedID == a.SourceID {
		return
	}
	f.places = append(f.places,
		place{f.doc(a.SourceID), int32(a.SourceBegin), int32(a.SourceEnd), float32(a.Similarity)},
		place{f.doc(a.DerivedID), int32(a.DerivedBegin), int32(a.DerivedEnd), float32(a.Similarity)})
}

func (f *Finder) doc(id string) int32 {
	if f.ids == nil {
		f.ids = map[string]int32{}
	}
	n, ok := f.ids[id]
	if !ok {
		n = int32(len(f.names))
		f.ids[id] = n
		f.names = append(f.names, id)
	}
	return n
}

// copyOf is one document's copy of a passage.
type copyOf struct {
	place
	links int     // of alignments
	are   []int32 // the copies that are this one
}

// Clusters are the copies of all clusters, without texts, dates and authors, in the order
// of the table clusters. days says when a document is from. The result is the same
// whatever the order of the alignments.
func (f *Finder) Clusters(days func(docID string) Days) []commonplace.Cluster {
	copies, of := f.copies()
	sets := disjoint.New(len(copies))
	for i := 0; i < len(of); i += 2 {
		sets.Join(int(of[i]), int(of[i+1]))
	}
	members := map[int][]copyOf{}
	for i, c := range copies {
		c.are = []int32{int32(i)}
		root := sets.Root(i)
		members[root] = append(members[root], c)
	}
	row := make([]int32, len(copies)) // where each copy is in rows
	var rows []commonplace.Cluster
	var age []int32 // of each row: in its cluster, a lower one is earlier
	for _, all := range members {
		rows, age = f.appendRows(rows, age, all, row, days)
	}
	f.setFrom(rows, age, of, row)
	slices.SortFunc(rows, func(a, b commonplace.Cluster) int {
		return cmp.Or(cmp.Compare(a.DocID, b.DocID), cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End), cmp.Compare(a.Cluster, b.Cluster))
	})
	return rows
}

// copies joins the places of each document that are one copy. of says which copy each
// place is.
func (f *Finder) copies() (copies []copyOf, of []int32) {
	order := make([]int32, len(f.places))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, k int32) int {
		a, b := f.places[i], f.places[k]
		return cmp.Or(cmp.Compare(f.names[a.doc], f.names[b.doc]), cmp.Compare(a.begin, b.begin), cmp.Compare(b.end, a.end), cmp.Compare(a.like, b.like))
	})
	of = make([]int32, len(f.places))
	var open []int32 // copies that reach beyond where the sweep is
	for _, i := range order {
		p := f.places[i]
		open = slices.DeleteFunc(open, func(k int32) bool { return copies[k].doc != p.doc || copies[k].end <= p.begin })
		at := int32(-1)
		for _, k := range open {
			if same(copies[k].place, p) {
				at = k
				break
			}
		}
		if at < 0 {
			at = int32(len(copies))
			copies = append(copies, copyOf{place: place{doc: p.doc, begin: p.begin, end: p.end}})
			open = append(open, at)
		}
		copies[at].links++
		copies[at].like += p.like
		of[i] = at
	}
	return copies, of
}

// same says that two places of a document share two thirds of the longer one.
func same(a, b place) bool {
	shared := min(a.end, b.end) - max(a.begin, b.begin)
	return 3*int64(shared) >= 2*int64(max(a.end-a.begin, b.end-b.begin))
}

// joined makes one copy of those of one document that overlap: others have longer and
// shorter parts of the passage.
func joined(all []copyOf) []copyOf {
	slices.SortFunc(all, func(a, b copyOf) int {
		return cmp.Or(cmp.Compare(a.doc, b.doc), cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	out := all[:1]
	for _, c := range all[1:] {
		last := &out[len(out)-1]
		if c.doc != last.doc || c.begin >= last.end {
			out = append(out, c)
			continue
		}
		last.end = max(last.end, c.end)
		last.links += c.links
		last.like += c.like
		last.are = append(last.are, c.are...)
	}
	return out
}

// appendRows appends the copies of one cluster, an earlier one before a later one, with
// their ages, and notes in row where each is. Of copies of one date none is earlier, unless
// it is the likely source.
func (f *Finder) appendRows(rows []commonplace.Cluster, age []int32, all []copyOf, row []int32, days func(string) Days) ([]commonplace.Cluster, []int32) {
	all = joined(all)
	when := make(map[int32]Days, len(all))
	for _, c := range all {
		when[c.doc] = days(f.names[c.doc])
	}
	slices.SortFunc(all, func(a, b copyOf) int {
		x, y := when[a.doc], when[b.doc]
		if x.Known != y.Known {
			return cmp.Compare(unknown(x), unknown(y))
		}
		return cmp.Or(cmp.Compare(x.First, y.First), cmp.Compare(x.Last, y.Last),
			cmp.Compare(f.names[a.doc], f.names[b.doc]), cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	first := all[0]
	name := f.names[first.doc] + ":" + strconv.Itoa(int(first.begin)) + "-" + strconv.Itoa(int(first.end))
	likely, by := likelySource(all, when)
	if source := likely[0]; by != commonplace.Undecided && source > 0 { // by wording: it comes before the others
		s := all[source]
		copy(all[1:source+1], all[:source])
		all[0], likely[0] = s, 0
	}
	for i, c := range all {
		r := commonplace.Cluster{
			Cluster: name, Documents: int64(len(when)), Copies: int64(len(all)),
			DocID: f.names[c.doc], Begin: int64(c.begin), End: int64(c.end),
		}
		if slices.Contains(likely, i) {
			r.LikelySource, r.SourceBy = by != commonplace.Undecided, by
		}
		for _, k := range c.are {
			row[k] = int32(len(rows))
		}
		if i > 0 && when[c.doc] == when[all[i-1].doc] && !rows[len(rows)-1].LikelySource {
			age = append(age, age[len(age)-1])
		} else {
			age = append(age, int32(i))
		}
		rows = append(rows, r)
	}
	return rows, age
}

// likelier says that a copy is rather from a than from b: more of it, then more like it.
func (f *Finder) likelier(a, b place) bool {
	alike := func(p place) float32 { return p.like * float32(p.end-p.begin) }
	return cmp.Or(cmp.Compare(alike(a), alike(b)), cmp.Compare(f.names[b.doc], f.names[a.doc]), cmp.Compare(b.begin, a.begin), cmp.Compare(b.end, a.end)) > 0
}

// setFrom sets, of each copy, which earlier one it is most like.
func (f *Finder) setFrom(rows []commonplace.Cluster, age, of, row []int32) {
	best := make([]int32, len(rows)) // 1 + place of the earlier copy
	for i := range of {
		later, earlier := row[of[i]], row[of[i^1]]
		if age[later] <= age[earlier] || rows[later].DocID == rows[earlier].DocID {
			continue
		}
		if b := best[later]; b == 0 || f.likelier(f.places[i^1], f.places[b-1]) {
			best[later] = int32(i^1) + 1
		}
	}
	for k, b := range best {
		if b > 0 {
			p := f.places[b-1]
			rows[k].FromID, rows[k].FromBegin, rows[k].FromEnd = f.names[p.doc], int64(p.begin), int64(p.end)
		}
	}
	f.setFromLonger(rows, age)
}

// setFromLonger sets it for copies that still have none, and that lie in a longer match with
// an earlier copy: a page copied from another is one match, and the sentence on both that a
// third page has is a cluster of its own.
func (f *Finder) setFromLonger(rows []commonplace.Cluster, age []int32) {
	type copyIn struct{ cluster, doc string }
	in := map[copyIn][]int{}
	without := map[string][]int{} // of a document, by begin
	for k, r := range rows {
		in[copyIn{r.Cluster, r.DocID}] = append(in[copyIn{r.Cluster, r.DocID}], k)
		if r.FromID == "" {
			without[r.DocID] = append(without[r.DocID], k)
		}
	}
	for _, of := range without {
		slices.SortFunc(of, func(a, b int) int { return cmp.Compare(rows[a].Begin, rows[b].Begin) })
	}
	within := func(k int, p place) bool { return rows[k].Begin >= int64(p.begin) && rows[k].End <= int64(p.end) }
	best := map[int]place{}
	for i, p := range f.places {
		of, other := without[f.names[p.doc]], f.places[i^1]
		from, _ := slices.BinarySearchFunc(of, int64(p.begin), func(k int, begin int64) int { return cmp.Compare(rows[k].Begin, begin) })
		for _, later := range of[from:] {
			if rows[later].Begin >= int64(p.end) {
				break
			}
			if !within(later, p) {
				continue
			}
			for _, earlier := range in[copyIn{rows[later].Cluster, f.names[other.doc]}] {
				found := place{other.doc, int32(rows[earlier].Begin), int32(rows[earlier].End), p.like}
				if b, ok := best[later]; age[earlier] < age[later] && p.doc != other.doc && within(earlier, other) && (!ok || f.likelier(found, b)) {
					best[later] = found
				}
			}
		}
	}
	for k, p := range best {
		rows[k].FromID, rows[k].FromBegin, rows[k].FromEnd = f.names[p.doc], int64(p.begin), int64(p.end)
	}
}

func unknown(d Days) int {
	if d.Known {
		return 0
	}
	return 1
}

// likelySource is the copy from which the others probably come, of copies in the order of
// their dates, and why. It is several copies if nothing tells between them.
func likelySource(all []copyOf, when map[int32]Days) (likely []int, by string) {
	first := when[all[0].doc]
	if !first.Known {
		return mostAlike(all, commonplace.ByWording)
	}
	oldest := 1 // copies of the same date: the first ones
	several, doubt := false, false
	for i, c := range all[1:] {
		if d := when[c.doc]; d == first {
			oldest, several = i+2, several || c.doc != all[0].doc
		} else if !d.Known || d.First <= first.Last {
			doubt = true
		}
	}
	switch {
	case several && doubt:
		return mostAlike(all[:oldest], commonplace.ByFirstDateAndWording)
	case several:
		return mostAlike(all[:oldest], commonplace.ByDateAndWording)
	case doubt:
		return []int{0}, commonplace.ByFirstDate
	}
	return []int{0}, commonplace.ByDate
}

// mostAlike is the copy that is matched with the most others, and of these the one most like
// them. It is several copies if those of several documents are equal.
func mostAlike(all []copyOf, why string) (likely []int, by string) {
	order := func(a, b copyOf) int {
		return cmp.Or(cmp.Compare(a.links, b.links), cmp.Compare(a.like/float32(max(1, a.links)), b.like/float32(max(1, b.links))))
	}
	best := slices.MaxFunc(all, order)
	for i := range all {
		if order(all[i], best) == 0 {
			likely = append(likely, i)
		}
	}
	if slices.ContainsFunc(likely, func(i int) bool { return all[i].doc != all[likely[0]].doc }) {
		return likely, commonplace.Undecided
	}
	return likely[:1], why
}
