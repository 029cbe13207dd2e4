package pipelines

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/traces"
	"github.com/commonplace/commonplace/table"
)

// As long as copies are found, the same command finds them again, although no version has
// the text any more. What it keeps for that holds no text, and goes with the last copy.
func TestForgetLooksAgain(t *testing.T) {
	c, folder := small(t)
	c.Guard = config.Guard{}
	withSecret(t, folder)
	pipelinetest.Build(t, c)
	book := string(fileOf(t, filepath.Join(folder, "books", secretID+".txt")))
	sought := filepath.Join(c.Out, "sought.json")
	export := filepath.Join(t.TempDir(), "export")
	engine.NoteOutput(t.Context(), c.Out, "export", export)
	engine.NoteOutput(t.Context(), c.Out, "report", filepath.Join(t.TempDir(), "gone.html"))
	forget := func(when string, left ...string) *engine.ForgetReport {
		t.Helper()
		report, err := engine.Forget(t.Context(), engine.Request{Config: c}, []string{secretID})
		var paths []string
		for _, l := range report.Left {
			if paths = append(paths, l.Path); l.Pieces == 0 {
				t.Errorf("%s: %s has no pieces", when, l.Path)
			}
		}
		if errors.Is(err, engine.ErrLeft) != (len(left) > 0) || !slices.Equal(paths, left) {
			t.Errorf("%s: %v: left are %v, want %v", when, err, paths, left)
		}
		return report
	}
	write := func(path, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	long, short := filepath.Join(c.Out, "long.txt"), filepath.Join(c.Out, "short.txt")
	write(long, book[300:2300])
	write(short, "see: "+book[700:750])
	write(filepath.Join(export, "rows"), book)
	if report := forget("first", "long.txt", "short.txt"); report.Known != 0 || report.Kept < 10 || report.Kept > 200 || report.Searched.Pieces < 500 {
		t.Errorf("first: %d of %d pieces kept", report.Kept, report.Searched.Pieces)
	}
	if slices.Contains(holding(t, c.Out), sought) {
		t.Error("sought.json has text")
	}
	if report := forget("again", "long.txt", "short.txt"); report.Documents[0].Characters != 0 || report.Known < 10 {
		t.Errorf("again: %+v", report)
	}
	pipelinetest.Build(t, c)
	if err := errors.Join(os.Rename(long, filepath.Join(c.Out, "moved.gz")), os.Remove(short)); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(c.Out, "other.txt"), "\n"+book[2501:2501+traces.SampledBytes]) // no search has seen this part anywhere
	forget("moved", "moved.gz", "other.txt")
	if err := errors.Join(os.Remove(filepath.Join(c.Out, "moved.gz")), os.Remove(filepath.Join(c.Out, "other.txt"))); err != nil {
		t.Fatal(err)
	}
	if report := forget("only outside"); len(report.Outputs) != 1 || report.Outputs[0].Pieces == 0 || report.Kept == 0 {
		t.Errorf("only outside: %+v", report)
	}
	if err := os.RemoveAll(export); err != nil {
		t.Fatal(err)
	}
	if report := forget("none"); report.Known == 0 || report.Kept != 0 {
		t.Errorf("none: %+v", report)
	}
	if _, err := os.Stat(sought); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("sought.json stays: %v", err)
	}
	for _, damaged := range []string{"[]", `{"format": 1, "pieces": "AAA="}`, `{"format": 2}`, "null", "{}"} {
		write(sought, damaged)
		if _, err := engine.Forget(t.Context(), engine.Request{Config: c}, []string{secretID}); err == nil || !strings.Contains(err.Error(), "sought.json") {
			t.Errorf("%s: %v", damaged, err)
		}
	}
}

// What a document that stays shares with a forgotten one may stand in an export: it is named,
// and no later search needs hashes for it.
func TestForgetLeavesWhatOthersShare(t *testing.T) {
	c, folder := small(t)
	c.Guard = config.Guard{}
	const both = " It was the lanterns of the seven brothers that burned the longest, and nobody in the town has ever said why they did. "
	export := filepath.Join(t.TempDir(), "export")
	for path, text := range map[string]string{
		filepath.Join(folder, "books", "forgotten-one.txt"): "A book that goes begins here with its own words." + both + "And it ends with words of its own, too.",
		filepath.Join(folder, "books", "staying-one.txt"):   "Another book that stays says so." + both + "It has its own end.",
		filepath.Join(export, "rows"):                       "Another book that stays says so." + both + "It has its own end.",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	pipelinetest.Build(t, c)
	engine.NoteOutput(t.Context(), c.Out, "export", export)
	report, err := engine.Forget(t.Context(), engine.Request{Config: c}, []string{"forgotten-one"})
	if err != nil || report.Shared == 0 || len(report.Outputs) != 1 || report.Kept != 0 {
		t.Errorf("%v: %+v", err, report)
	}
	engine.NoteOutput(t.Context(), c.Out, "export", filepath.Join(t.TempDir(), "disk", "export")) // whose disk is away
	if report, err := engine.Forget(t.Context(), engine.Request{Config: c}, []string{"forgotten-one"}); err != nil || len(report.Unread) != 1 {
		t.Errorf("%v: %+v", err, report)
	}
	withSecret(t, folder)
	pipelinetest.Build(t, c)
	if report, err := engine.Forget(t.Context(), engine.Request{Config: c}, []string{secretID}); err != nil || report.Kept == 0 {
		t.Errorf("hashes are not kept for a disk that is away: %v: %+v", err, report)
	}
}

// A build whose folder was taken while it published removes nothing that the other needs.
func TestForgetThatLostItsFolder(t *testing.T) {
	c, _ := runWithSecret(t)
	versions, err := table.KeptNights(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	was := storage.Local
	t.Cleanup(func() { storage.Local = was })
	taken := false
	storage.Local = linking{was, func(path string) {
		if filepath.Base(path) == ".current" && !taken {
			taken = true
			lease := filepath.Join(c.Out, table.LeaseFile)
			other := []byte(`{"host": "ship", "process": 7, "place": "ship", "build": "other", "count": 3}`)
			if err := errors.Join(os.WriteFile(lease+".new", other, 0o644), os.Rename(lease+".new", lease)); err != nil {
				t.Error(err)
			}
		}
	}}
	_, err = engine.Forget(t.Context(), engine.Request{Config: c}, []string{secretID})
	if !errors.Is(err, engine.ErrLocked) || !taken {
		t.Fatalf("taken %v: %v", taken, err)
	}
	kept, err := table.KeptNights(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range versions[:len(versions)-1] { // the oldest makes way for the new one
		if !slices.ContainsFunc(kept, func(k table.Kept) bool { return k.Number == v.Number }) {
			t.Errorf("version %d is gone", v.Number)
		}
	}
	if f, err := engine.ReadForgotten(t.Context(), c.Out); err != nil || !f.Pending {
		t.Errorf("it is not pending any more: %v", err)
	}
}

// linking calls before it makes a link.
type linking struct {
	storage.FileSystem
	before func(path string)
}

func (l linking) Link(ctx context.Context, target, path string) error {
	l.before(path)
	return l.FileSystem.Link(ctx, target, path)
}
