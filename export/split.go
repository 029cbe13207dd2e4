package export

import (
	"context"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/table"
)

// shardBytes is what a Parquet file of the export holds at most, before
// compression and but for its last rows: what readers load at once.
var shardBytes int64 = 256 << 20

// split is one split of a kind as it was written.
type split struct {
	Name   string
	Rows   int64
	Bytes  int64    // of values, before compression
	Files  int64    // Parquet files
	Size   int64    // their bytes
	Others []string // files of other formats
}

// splitOrder puts train before validation before test, and others by their name.
func splitOrder(a, b string) int {
	at := func(s string) int {
		if n := slices.Index([]string{"train", "validation", "test"}, s); n >= 0 {
			return n
		}
		return 3
	}
	if at(a) != at(b) {
		return at(a) - at(b)
	}
	return strings.Compare(a, b)
}

// splits deals the rows of a kind to the files of their splits.
type splits struct {
	kind     kind
	job      *job
	gathered *gathered
	open     map[string]*splitFiles
	said     *inOtherWords // of the shard's contexts; nil: they are read as they are
}

// splitFiles are the files of one split that are being written.
type splitFiles struct {
	split   *split
	parquet table.RowWriter
	shards  []table.ShardRecord
	rows    *jsonRows
	squad   *squadFile
	conll   *file
}

// folderOf is where a kind's Parquet files lie: data for the one that readers get
// when they name none.
func (j *job) folderOf(name string) string {
	if name == j.first {
		return "data"
	}
	return "data/" + name
}

// write adds a row to the files of its split; one without its texts, not to those that
// are nothing else.
func (s *splits) write(ctx context.Context, row table.ExportedRow, texts bool) error {
	name := row.Split()
	f := s.open[name]
	if f == nil {
		var err error
		if f, err = s.begin(name); err != nil {
			return err
		}
	}
	f.split.Rows++
	out := row.Written()
	if s.job.formats[HF] {
		if f.parquet != nil && f.parquet.Bytes() >= shardBytes {
			if err := s.endShard(f); err != nil {
				return err
			}
		}
		if f.parquet == nil {
			var err error
			at := fmt.Sprintf("%s/%s-%05d.parquet", s.job.folderOf(s.kind.Name), name, len(f.shards))
			if f.parquet, err = s.kind.Create(ctx, s.job.folder.path(at), "huggingface", s.kind.features().json()); err != nil {
				return err
			}
		}
		if err := f.parquet.Write(out); err != nil {
			return err
		}
	}
	if f.rows != nil {
		if err := f.rows.write(out); err != nil {
			return err
		}
	}
	if texts && f.squad != nil {
		if err := s.ask(f.squad, row.Question()); err != nil {
			return err
		}
	}
	if texts && f.conll != nil {
		if err := writeCoNLL(f.conll, row); err != nil {
			return err
		}
	}
	return nil
}

// splitName is what the hub takes for one.
var splitName = regexp.MustCompile(`^\w+$`)

// begin opens the files of a split that are one for all its rows.
func (s *splits) begin(name string) (*splitFiles, error) {
	if !splitName.MatchString(name) {
		return nil, fmt.Errorf("table %s: a row has the split %q, which is no name of a split", s.kind.Name, name)
	}
	f := &splitFiles{split: &split{Name: name}}
	s.open[name] = f
	create := func(format, extension string) (*file, error) {
		at := path.Join(format, s.kind.Name, name+extension)
		f.split.Others = append(f.split.Others, at)
		return s.job.folder.create(at)
	}
	if s.job.formats[JSONL] {
		w, err := create(JSONL, ".jsonl")
		if err != nil {
			return nil, err
		}
		f.rows = newJSONRows(w, s.kind.Type, s.kind.Classes)
	}
	if s.job.formats[SQuAD] && s.kind.SQuAD {
		w, err := create(SQuAD, ".json")
		if err != nil {
			return nil, err
		}
		f.squad = newSQuADFile(w)
	}
	if s.job.formats[CoNLL] && s.kind.CoNLL {
		var err error
		if f.conll, err = create(CoNLL, ".conll"); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (s *splits) endShard(f *splitFiles) error {
	f.split.Bytes += f.parquet.Bytes()
	shard, err := f.parquet.Close()
	if err != nil {
		return err
	}
	f.split.Files++
	f.split.Size += shard.Bytes
	f.shards = append(f.shards, shard)
	f.parquet = nil
	return nil
}

// close finishes all files and gives the Parquet ones their names, which say how
// many there are.
func (s *splits) close() error {
	for _, f := range s.open {
		if f.parquet != nil {
			if err := s.endShard(f); err != nil {
				return err
			}
		}
		dir := s.job.folderOf(s.kind.Name)
		for i, shard := range f.shards {
			to := fmt.Sprintf("%s/%s-%05d-of-%05d.parquet", dir, f.split.Name, i, len(f.shards))
			if err := os.Rename(s.job.folder.path(path.Join(dir, shard.File)), s.job.folder.path(to)); err != nil {
				return refused("rename to", to, err)
			}
			s.job.folder.add(record{to, shard.Bytes, shard.SHA256})
		}
		if f.rows != nil {
			if err := f.rows.close(); err != nil {
				return err
			}
		}
		if f.squad != nil {
			if err := f.squad.close(); err != nil {
				return err
			}
		}
		if f.conll != nil {
			if err := f.conll.close(); err != nil {
				return err
			}
		}
		s.gathered.Splits = append(s.gathered.Splits, f.split)
	}
	slices.SortFunc(s.gathered.Splits, func(a, b *split) int { return splitOrder(a.Name, b.Name) })
	return nil
}

// abort lets go of what an error left open; the folder takes the files away.
func (s *splits) abort() {
	s.said.close()
	for _, f := range s.open {
		if f.parquet != nil {
			f.parquet.Abort()
		}
		for _, w := range []*file{f.conll, f.rows.file(), f.squad.file()} {
			if w != nil {
				w.on.Close()
			}
		}
	}
}
