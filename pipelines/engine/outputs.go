package engine

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/traces"
	"github.com/commonplace/commonplace/table"
)

// What leaves a run, exports, published tables and reports, lies elsewhere. The run notes where, so that
// whoever removes a document hears of them.

// outputsFolder holds a small file for each place.
const outputsFolder = "outputs"

// output is such a place.
type output struct {
	Kind string `json:"kind"` // export, iceberg or report
	Path string `json:"path"` // on the machine that wrote it
}

// NoteOutput notes that an export, a published table or a report of a run was written to a path of this
// machine. A run that others may only read keeps no note.
func NoteOutput(ctx context.Context, run, kind, path string) {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	at := storage.Join(table.Home(run), outputsFolder, storage.Key(kind, path)+".json")
	_ = storage.WriteFile(ctx, at, append(storage.MustJSON(output{kind, path}), '\n'))
}

// searchOutputs looks for the forgotten documents in what left the run, and in an archive
// that other runs use, too. For what other
// documents of the run have, too, no later search is needed.
func searchOutputs(ctx context.Context, run, archive string, wanted *traces.Wanted, shared map[uint64]traces.Seal, report *ForgetReport) error {
	dir := storage.Join(run, outputsFolder)
	names, err := storage.List(ctx, dir)
	if err != nil {
		return err
	}
	var all []output
	if _, err := os.Stat(archive); archive != "" && !errors.Is(err, fs.ErrNotExist) {
		all = append(all, output{"archive", archive})
	}
	for _, name := range names {
		b, err := storage.ReadFile(ctx, storage.Join(dir, name))
		var o output
		if err != nil || json.Unmarshal(b, &o) != nil {
			continue // nobody's
		}
		all = append(all, o)
	}
	for _, o := range all {
		if _, err := os.Stat(o.Path); err != nil {
			report.Unread = append(report.Unread, Trace{Path: o.Path, Error: err.Error(), gone: removed(o.Path, err)})
			continue
		}
		t := Trace{Path: o.Path, pieces: map[uint64]traces.Seal{}}
		err = storage.Walk(ctx, o.Path, func(file string) error {
			f, err := searchFile(ctx, file, below(filepath.Dir(o.Path), file), wanted)
			if err != nil {
				return err
			}
			maps.Copy(t.pieces, f.Pieces)
			t.Names, t.NamedBy = append(t.Names, f.Names...), append(t.NamedBy, f.namedBy...)
			return nil
		})
		if err != nil {
			report.Unread = append(report.Unread, Trace{Path: o.Path, Error: err.Error()})
		}
		t.Pieces, t.Names, t.NamedBy = len(t.pieces), unique(t.Names), unique(t.NamedBy)
		maps.DeleteFunc(t.pieces, func(piece uint64, _ traces.Seal) bool { _, is := shared[piece]; return is })
		if t.Pieces > 0 || len(t.Names) > 0 || len(t.NamedBy) > 0 {
			report.Outputs = append(report.Outputs, t)
		}
	}
	return nil
}

// removed says that a file is not there while the folder that it was in is: else a disk may
// be missing.
func removed(path string, err error) bool {
	_, folder := os.Stat(filepath.Dir(path))
	return errors.Is(err, fs.ErrNotExist) && folder == nil
}

// unique sorts names, and gives each of them once.
func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
