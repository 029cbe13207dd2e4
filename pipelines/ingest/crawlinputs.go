package ingest

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"sort"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/sorting"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// What the sources hold is named before the stage crawl runs, document by document.
// There may be millions, so what names them goes through sorted temporary files into
// one file of the cache, a section for each shard, and a task gets the place where
// its own begins. The file is gone when the table is there.

// inputsKind begins the file's name.
const inputsKind = "inputs"

// inputsSection is where a task finds its items.
type inputsSection struct {
	Path   string `json:"path"`
	Begin  int64  `json:"begin"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// itemsOf are a task's items, in the order of their ids.
func itemsOf(ctx context.Context, t engine.Task) ([]item, error) {
	var s inputsSection
	if err := json.Unmarshal(t.Extra, &s); err != nil {
		return nil, err
	}
	if err := cache.Ensure(ctx, s.Path); err != nil {
		return nil, err
	}
	var list []item
	for it, err := range cache.CheckedRows[item](ctx, s.Path, s.Begin, s.Bytes, s.SHA256) {
		if err != nil {
			return nil, err
		}
		list = append(list, it)
	}
	return list, nil
}

// listSources names every document with a hash of what it is made from, so that
// a changed, added or removed one rebuilds its shard and nothing else.
func listSources(ctx context.Context, p *engine.Planner) (engine.External, error) {
	l := &listing{members: func() ([]member, error) { return membersBefore(ctx, p.Config.Out) }, leaveOut: p.LeaveOut, left: map[string]int64{}, shards: p.Config.Shards, limits: p.Config.Limits, sorted: sorting.Sorter{Dir: storage.TempDir(ctx)}}
	out, err := l.list(ctx, p)
	if err != nil {
		l.sorted.Close()
	}
	return out, err
}

func (l *listing) list(ctx context.Context, p *engine.Planner) (engine.External, error) {
	var notes []string
	for i, source := range p.Config.Sources {
		l.source, l.file = source.Name, 0
		reader := sourceReaderOf(p.Config, source)
		if parts, ok := reader.(partLister); ok {
			reader = parts.on(workersOf(p))
		}
		sourceNotes, err := reader.list(ctx, source, l.take)
		if ctx.Err() != nil {
			return engine.External{}, ctx.Err()
		}
		if failed := (notListed{}); errors.As(err, &failed) {
			return engine.External{}, fmt.Errorf("list source %s: %w", source.Name, failed.error)
		}
		if err != nil {
			return engine.External{}, fmt.Errorf("%w: %s: sources[%d].%w", config.ErrInvalid, p.Config.Where(fmt.Sprintf("sources[%d]", i)), i, err)
		}
		for _, n := range sourceNotes {
			notes = append(notes, "source "+source.Name+": "+n)
		}
	}
	if l.err != nil {
		return engine.External{}, l.err
	}
	for _, source := range p.Config.Sources {
		if n := l.left[source.Name]; n > 0 {
			notes = append(notes, fmt.Sprintf("source %s: %d left out, as this run was told to forget them", source.Name, n))
		}
	}
	all := sha256.New()
	if err := l.each(func(_ int, row []byte) error { all.Write(row); return nil }); err != nil {
		return engine.External{}, err
	}
	path := cache.Path(p.Config.Out, inputsKind, l.shards, all.Sum(nil))
	d, err := l.write(bufio.NewWriter(io.Discard), path, nil)
	if err != nil {
		return engine.External{}, err
	}
	for _, source := range p.Config.Sources {
		d.count[source.Name] += l.left[source.Name] // also one that has nothing, and what is left out: neither is lost
	}
	return engine.External{
		Notes:    notes,
		Count:    func(context.Context) (map[string]int64, error) { return d.count, nil },
		Contents: func(shard, _ int) string { return d.contents[shard] },
		PartsOf:  func(was map[int]engine.Parts) (map[int]engine.Parts, error) { return l.parts(was, path) },
		Extra:    func(shard, _ int) json.RawMessage { return storage.MustJSON(d.sections[shard]) },
		Ready: func() error {
			return cache.Publish(ctx, path, func(w *bufio.Writer) error {
				_, err := l.write(w, path, nil)
				return err
			})
		},
		Release: func() { l.sorted.Close() },
	}, nil
}

// listing holds what the sources named.
type listing struct {
	shards  int
	limits  bounded.Limits
	sorted  sorting.Sorter // by shard, id, and the order in which they were named
	err     error          // of the sorter
	taken   uint64
	source  string
	file    int                      // of the source
	began   uint64                   // first item of the file
	members func() ([]member, error) // of files that cannot be read now
	looked  bool
	before  []member

	leaveOut func(source, id, rel string) bool // what was forgotten
	left     map[string]int64                  // how much that is, by source

	broken  stretches // items of files that broke off
	changed stretches // items of files that changed while they were listed
}

// stretches are numbers in their order: first, and one past the last of each.
type stretches [][2]uint64

func (s stretches) have(number uint64) bool {
	i := sort.Search(len(s), func(i int) bool { return number < s[i][1] })
	return i < len(s) && number >= s[i][0]
}

func (l *listing) take(it item) {
	if it.File == 0 || it.File != l.file {
		l.file, l.began = it.File, l.taken
	}
	if it.Breaks && l.began < l.taken {
		l.broken = append(l.broken, [2]uint64{l.began, l.taken})
	}
	if it.Reject != nil && it.Whole != "" && l.takeMembers(it) {
		return
	}
	if it.Changed {
		l.changed = append(l.changed, [2]uint64{l.began, l.taken})
		return
	}
	it.Source = l.source
	if !it.ID.IsZero() && l.leaveOut(l.source, it.ID.String(), it.Rel) {
		l.left[l.source]++
		return
	}
	shard := table.ShardOf(cmp.Or(it.ID.String(), it.Source+"\x00"+it.Rel), l.shards) // a broken line has no id
	key := append(binary.BigEndian.AppendUint16(nil, uint16(shard)), it.ID.String()...)
	value := append(binary.BigEndian.AppendUint64(nil, l.taken), storage.MustJSON(it)...)
	if err := l.sorted.Add(key, value); l.err == nil {
		l.err = err
	}
	l.taken++
}

// each gives the items that count, as JSON, by shard and then by id.
func (l *listing) each(do func(shard int, row []byte) error) error {
	return l.sorted.Each(func(key, value []byte) error {
		number, row := binary.BigEndian.Uint64(value), value[8:]
		if l.broken.have(number) {
			return nil
		}
		if l.changed.have(number) { // named of one file and hashed of another: never fresh
			var it item
			if err := json.Unmarshal(row, &it); err != nil {
				return err
			}
			it.SHA256 += " changed while it was listed"
			row = storage.MustJSON(it)
		}
		return do(int(binary.BigEndian.Uint16(key)), row)
	})
}

// sectionedInputs say what decides each shard's rows, where each shard's items lie, and
// how many items each source has.
type sectionedInputs struct {
	contents []string
	sections []inputsSection
	count    map[string]int64
}

// write writes a line of JSON for each item.
func (l *listing) write(w *bufio.Writer, path string, also func(shard int, it item)) (sectionedInputs, error) {
	decides, bytes := make([]hash.Hash, l.shards), make([]hash.Hash, l.shards)
	for k := range l.shards {
		decides[k], bytes[k] = sha256.New(), sha256.New()
	}
	sections, count := make([]inputsSection, l.shards), map[string]int64{}
	put := func(shard int, it item, row []byte) error {
		count[it.Source] += 1 + it.Untold
		if also != nil {
			also(shard, it)
		}
		decides[shard].Write([]byte(it.decides()))
		bytes[shard].Write(row)
		bytes[shard].Write([]byte{'\n'})
		sections[shard].Bytes += int64(len(row)) + 1
		w.Write(row)
		return w.WriteByte('\n')
	}
	duplicates := duplicateFinder{refused: engine.NewRejectLimit(l.limits)}
	in := 0 // the shard of the last item
	end := func() (err error) {
		duplicates.end(func(it item) {
			if failed := put(in, it, storage.MustJSON(it)); err == nil {
				err = failed
			}
		})
		return err
	}
	err := l.each(func(shard int, row []byte) error {
		var it item
		if err := json.Unmarshal(row, &it); err != nil {
			return err
		}
		if it.ID != duplicates.first.ID {
			if err := end(); err != nil {
				return err
			}
		}
		in = shard
		duplicate, hasRow := duplicates.mark(&it)
		if !hasRow {
			return nil
		}
		if duplicate {
			row = storage.MustJSON(it)
		}
		return put(shard, it, row)
	})
	if last := end(); err == nil {
		err = last
	}
	begin, contents := int64(0), make([]string, l.shards)
	for k := range sections {
		contents[k] = hex.EncodeToString(decides[k].Sum(nil))
		s := &sections[k]
		s.Path, s.Begin, s.SHA256 = path, begin, hex.EncodeToString(bytes[k].Sum(nil))
		begin += s.Bytes
	}
	return sectionedInputs{contents, sections, count}, err
}

// duplicateFinder finds items whose id an earlier one has. It is shown them by id.
type duplicateFinder struct {
	first   item
	any     bool
	refused *engine.RejectLimit // of the id
}

// mark says of an item that is a duplicate whose, and whether it gets a row: a packed list
// of a kilobyte can have a million documents of one id.
func (f *duplicateFinder) mark(it *item) (duplicate, hasRow bool) {
	if !f.any || it.ID != f.first.ID || f.first.Reject != nil || f.first.Duplicate != "" {
		f.first, f.any = *it, true
		return false, true
	}
	if it.ID.IsZero() || it.Reject != nil || it.Duplicate != "" {
		return false, true
	}
	it.Duplicate = f.first.Source + ": " + f.first.Rel
	return true, f.refused.Add(files.ReasonDuplicate)
}

// end gives the row that stands for the duplicates of the last id that have none.
func (f *duplicateFinder) end(put func(item)) {
	restOf(f.refused, f.first.Rel, func(it item) {
		it.Source, it.ID, it.Reject.ID = f.first.Source, f.first.ID, f.first.ID.String()
		put(it)
	})
	f.refused.Reset()
}
