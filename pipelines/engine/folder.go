package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"syscall"
	"unicode/utf8"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// A run writes, replaces and removes files in its folder, so it must be its own:
// a new or empty one, or one that a run has marked. A mistaken out: is refused
// before anything is written, as an export refuses a folder that is none.

// markText is what the file [table.MarkFile] says.
const markText = `{
  "format": 1,
  "program": "commonplace",
  "folder": "tables of a run; see settings.json for how they were made"
}
`

// markFolder marks a folder as a run's, if it may be one. Once another run may write
// there, call it behind [Lock].
func markFolder(ctx context.Context, out string) error {
	marked, err := folderMarked(ctx, out)
	if err != nil || marked {
		return err
	}
	return storage.WriteFile(ctx, storage.Join(out, table.MarkFile), []byte(markText))
}

// folderMarked reports whether a folder is marked as a run's. It is an error where it is
// not and holds something else.
func folderMarked(ctx context.Context, out string) (bool, error) {
	if !utf8.ValidString(out) { // tasks carry it as JSON, which would make it another folder's
		return false, fmt.Errorf("%w: out is %q, which is not UTF-8; choose another folder", config.ErrInvalid, out)
	}
	_, err := storage.Default.Size(ctx, storage.Join(out, table.MarkFile))
	if err == nil {
		return true, nil
	}
	if errors.Is(err, syscall.ENOTDIR) { // a file is in the way: Lock says so
		return false, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("look at %s: %w: %w; choose a folder that you may write to", out, storage.ErrRefused, err)
	}
	names, err := storage.List(ctx, out)
	if err != nil {
		return false, err
	}
	if at := slices.IndexFunc(names, func(name string) bool { return !beforeTables(ctx, out, name) }); at >= 0 && !unmarked(ctx, out, names) {
		return false, fmt.Errorf("%w: out is %s, which is no folder of a run: it holds %s; choose an empty or a new folder", config.ErrInvalid, out, names[at])
	}
	return false, nil
}

// unmarked reports whether a folder is a run's of version 0.1.0, which marked none:
// it has settings of stages, or a table with its record.
func unmarked(ctx context.Context, out string, names []string) bool {
	if settings, err := readSettings(ctx, out); err == nil && len(settings) > 0 {
		known := true
		for name := range settings {
			_, err := stageNamed(name)
			known = known && err == nil
		}
		if known {
			return true
		}
	}
	for _, t := range table.All() {
		name := t.Describe().Name
		if _, err := table.ReadCommit(ctx, storage.Default, out, name); err == nil && slices.Contains(names, name) {
			return true
		}
	}
	return false
}

var archiveFile = regexp.MustCompile(`^(\.?pass\.json((\.[0-9a-f]{12})?\.tmp)?|\d{5,}-.+\.warc\.gz(\.index)?)$`)

// beforeTables reports whether a name is of what version 0.1.0 left in its folder
// when it was stopped before the first table.
func beforeTables(ctx context.Context, out, name string) bool {
	switch name {
	case ".lock":
		size, err := storage.Default.Size(ctx, storage.Join(out, name))
		return err == nil && size == 0
	case table.LeaseFile:
		return true // of a run that was killed before it marked the folder
	case ".tmp":
		return true // which is not touched
	case config.ArchiveFolder:
		names, err := storage.List(ctx, storage.Join(out, name))
		return err == nil && !slices.ContainsFunc(names, func(n string) bool { return !archiveFile.MatchString(n) })
	}
	return name == runner.TempFolder || table.IsTemporary(name) // of a run that was killed while it marked the folder
}
