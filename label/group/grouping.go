package group

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sort"
	"sync"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/label/internal/compare"
	"github.com/commonplace/commonplace/label/internal/disjoint"
	"github.com/commonplace/commonplace/sorting"
)

// Grouper finds what must stay together. Quotes that are equal or near-duplicates
// are one group; so are the spans of a region and the quotes found in it, be they
// of a list or passages of derived documents; so are regions in which spans say
// the same words, or what a quote of the lists says; so are regions that are
// near-duplicates of one another or of quotes; and so on from one to the next.
//
// A group that has a listed quote is named by the first of its quotes' texts in
// alphabetical order; another by the first of its works. So the name depends on
// the list first, and what a new book brings joins a group without moving it,
// unless it joins two.
//
// It is shown all quotes of the lists and all regions of the sources, in any
// order, and has none of them in memory: they are sorted and compared in temporary files.
// Errors are those of the files.
type Grouper struct {
	works   map[string]string
	quotes  sorting.Sorter // text, quote id
	regions sorting.Sorter // work, document and begin; the region
}

// NewGrouper groups sources of which works names the work of a document, from
// [Works]; a document that is not named is its own. Its files lie in the folder temp, [os.TempDir]
// where it is empty.
func NewGrouper(works map[string]string, temp string) *Grouper {
	files := sorting.Sorter{Dir: temp}
	return &Grouper{works: works, quotes: files, regions: files}
}

// Quote shows a quote of a list.
func (g *Grouper) Quote(q commonplace.Quote) error {
	return g.quotes.Add([]byte(cmp.Or(label.Normalise(q.Text), q.ID)), []byte(q.ID)) // punctuation only: nothing to be equal by
}

// Region shows a region of a source.
func (g *Grouper) Region(s Region) error {
	key := append(append(append([]byte(workOf(g.works, s.DocID)), 0), s.DocID...), 0)
	return g.regions.Add(binary.BigEndian.AppendUint64(key, uint64(s.Begin)), s.bytes())
}

// Close lets the temporary files go. The grouping stays.
func (g *Grouper) Close() error { return errors.Join(g.quotes.Close(), g.regions.Close()) }

func workOf(works map[string]string, docID string) string { return cmp.Or(works[docID], docID) }

// Grouping says what must stay together. It holds 24 bytes a region and 8 a
// text of the lists; the names of the groups lie in a temporary file. Several may ask it
// at once.
type Grouping struct {
	works   map[string]string // of documents, by id
	listed  int               // texts of the lists; regions are numbered after them
	names   *store            // these texts
	nameAt  []int64           // where each begins, and the end
	docs    []string          // that have regions, in order of their works
	first   []int             // of each, its first region
	places  []groupedRegion   // by work, document and begin
	byDocID map[string]int    // index in docs
	reading sync.Mutex        // of names
}

// groupedRegion is a region and the root of its group.
type groupedRegion struct {
	begin, end int64
	root       int32
}

// Group groups all that was shown. The grouping holds a temporary file until it
// is closed.
func (g *Grouper) Group(ctx context.Context) (_ *Grouping, err error) {
	files := sorting.Sorter{Dir: g.quotes.Dir}
	names, err := newStore(files.Dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			names.close()
		}
	}()
	grouping := &Grouping{works: g.works, names: names, byDocID: map[string]int{}}
	k := shared{ids: files, wholes: files, parts: files}
	near := nearTexts{run: shingleWords, shingles: files}
	defer func() { err = errors.Join(err, k.close(), near.close()) }()
	// First the quotes' texts in alphabetical order, then the regions by work:
	// the root of a group is what it is named by.
	if err := grouping.readQuotes(g, &k); err != nil {
		return nil, err
	}
	if err := grouping.readRegions(g, &k); err != nil {
		return nil, err
	}
	trees := disjoint.New(grouping.listed + len(grouping.places))
	if err := joinEqual(trees, &k.wholes); err != nil {
		return nil, err
	}
	if err := g.compare(&near, trees); err != nil {
		return nil, err
	}
	if err := near.join(ctx, trees); err != nil {
		return nil, err
	}
	if err := joinEqual(trees, &k.parts); err != nil {
		return nil, err
	}
	if err := joinEqual(trees, &k.ids); err != nil {
		return nil, err
	}
	for i := range grouping.places {
		grouping.places[i].root = int32(trees.Root(grouping.listed + i))
	}
	return grouping, nil
}

// shared is what texts and regions are joined by, each with their numbers.
type shared struct {
	ids    sorting.Sorter // of quotes
	wholes sorting.Sorter // hashes of the texts, and of all words of a region
	parts  sorting.Sorter // hashes of these and of the spans in a region
}

func (k *shared) close() error { return errors.Join(k.ids.Close(), k.wholes.Close(), k.parts.Close()) }

// text says that a number has a text. Where there are only marks, nothing is equal.
func (k *shared) text(text string, number []byte) error {
	if text == "" {
		return nil
	}
	sum := compare.Hash(text)
	if err := k.wholes.Add(sum[:], number); err != nil {
		return err
	}
	return k.parts.Add(sum[:], number)
}

// compare shows near every text once: what is equal was joined, and a text that
// stands a thousand times must not make all of its words common.
func (g *Grouper) compare(near *nearTexts, equal disjoint.Sets) error {
	last, listed := "", false
	err := g.quotes.Each(func(text, _ []byte) error {
		if listed && string(text) == last {
			return nil
		}
		last, listed = string(text), true
		return near.add(last)
	})
	if err != nil {
		return err
	}
	return g.regions.Each(func(_, value []byte) error {
		if i := len(near.sizes); equal.Root(i) != i {
			near.pass()
			return nil
		}
		s, err := regionFrom(value)
		if err != nil {
			return err
		}
		return near.add(s.Text)
	})
}

// Close lets the names go.
func (g *Grouping) Close() error { return g.names.close() }

// readQuotes numbers the texts of the lists.
func (g *Grouping) readQuotes(from *Grouper, k *shared) error {
	last := ""
	err := from.quotes.Each(func(text, id []byte) error {
		if string(text) != last || g.listed == 0 {
			last = string(text)
			if err := k.text(last, numbered(g.listed)); err != nil {
				return err
			}
			g.nameAt = append(g.nameAt, g.names.size)
			if err := g.names.write(text); err != nil {
				return err
			}
			g.listed++
		}
		return k.ids.Add(id, numbered(g.listed-1))
	})
	if err != nil {
		return err
	}
	g.nameAt = append(g.nameAt, g.names.size)
	return g.names.done()
}

// readRegions numbers the regions of the sources after them.
func (g *Grouping) readRegions(from *Grouper, k *shared) error {
	return from.regions.Each(func(_, value []byte) error {
		s, err := regionFrom(value)
		if err != nil {
			return err
		}
		number := numbered(g.listed + len(g.places))
		if err := k.text(s.Text, number); err != nil {
			return err
		}
		for spans := s.Spans; len(spans) > 0; spans = spans[16:] {
			if err := k.parts.Add(spans[:16], number); err != nil {
				return err
			}
		}
		for _, id := range s.Quotes {
			if err := k.ids.Add([]byte(id), number); err != nil {
				return err
			}
		}
		if len(g.docs) == 0 || g.docs[len(g.docs)-1] != s.DocID {
			g.byDocID[s.DocID] = len(g.docs)
			g.docs, g.first = append(g.docs, s.DocID), append(g.first, len(g.places))
		}
		g.places = append(g.places, groupedRegion{begin: s.Begin, end: s.End})
		return nil
	})
}

// numbered is how a text's number is sorted by.
func numbered(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

// joinEqual joins all numbers that have one key.
func joinEqual(trees disjoint.Sets, byKey *sorting.Sorter) error {
	var last []byte
	first := -1
	return byKey.Each(func(key, value []byte) error {
		number := int(binary.BigEndian.Uint32(value))
		if first < 0 || !bytes.Equal(key, last) {
			first, last = number, append(last[:0], key...)
		}
		trees.Join(first, number)
		return nil
	})
}

// Of is the row of an alignment. One that is in no region, for its span is none,
// is with its quote, or its source.
func (g *Grouping) Of(a commonplace.Alignment) (commonplace.Group, error) {
	row := commonplace.Group{AlignmentID: a.ID, DocID: a.SourceID, SourceBegin: a.SourceBegin, SourceEnd: a.SourceEnd, Work: workOf(g.works, a.SourceID)}
	places := g.placesOf(a.SourceID)
	i := sort.Search(len(places), func(i int) bool { return places[i].begin > a.SourceBegin }) - 1
	if i < 0 || a.SourceBegin >= places[i].end {
		row.Group = cmp.Or(a.QuoteID, row.Work)
		return row, nil
	}
	var err error
	row.Group, err = g.name(int(places[i].root))
	return row, err
}

func (g *Grouping) placesOf(docID string) []groupedRegion {
	d, ok := g.byDocID[docID]
	if !ok {
		return nil
	}
	end := len(g.places)
	if d+1 < len(g.first) {
		end = g.first[d+1]
	}
	return g.places[g.first[d]:end]
}

// name is what a group is named by: a text of the lists, or the first region's work.
func (g *Grouping) name(root int) (string, error) {
	if root < g.listed {
		g.reading.Lock()
		defer g.reading.Unlock()
		text, err := g.names.read(nil, g.nameAt[root], g.nameAt[root+1]-g.nameAt[root])
		return string(text), err
	}
	d, found := slices.BinarySearch(g.first, root-g.listed)
	if !found {
		d--
	}
	return workOf(g.works, g.docs[d]), nil
}
