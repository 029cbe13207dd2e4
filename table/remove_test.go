package table

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// v is a version of a letter's name.
func v(letter string) string { return strings.Repeat(letter, 16) }

// near are names that lie as close to those of a run's files as somebody else's
// can: none is one of ours.
var near = []string{
	"notes.md", "part-00000-of-00001.csv", "part-0-of-1.parquet", "part-00001-of-00001.parquet", "part-00000-of-00001.parquet.bak", "my-part-00000-of-00001.parquet",
	".notes.tmp", ".notes.0123456789ab.tmp", ".part-00000-of-00001.parquet.tmp", ".part-00000-of-00001.parquet.0123.tmp", "part-00000-of-00001.parquet.0123456789ab.tmp",
	".part-00000-of-00001.csv.0123456789ab.tmp", ".tmp", "0123456789abcdef.json", "0123456789ABCDEF", "0123456789abcdef0", "counts.txt", "counts-2024", "counts-0123456789abcdef.csv", "_commit.json.old", "current.md", ".records.md",
}

func TestNamesOfOthersAreNotOurs(t *testing.T) {
	for _, name := range near {
		if isShard(name) || isRecord(name) || isVersion(name) || IsTemporary(name) || CacheKind(name) != "" {
			t.Errorf("%s passes for ours", name)
		}
	}
	for name, ours := range map[string]bool{
		ShardName(3, 16): isShard(ShardName(3, 16)), "part-00003-of-00016.json": isRecord("part-00003-of-00016.json"), v("a"): isVersion(v("a")), "counts-" + v("0"): CacheKind("counts-"+v("0")) == "counts",
		".current.0123456789ab.tmp": IsTemporary(".current.0123456789ab.tmp"), ".counts-" + v("0") + ".0123456789ab.tmp": IsTemporary(".counts-" + v("0") + ".0123456789ab.tmp"),
	} {
		if !ours {
			t.Errorf("%s passes for somebody else's", name)
		}
	}
}

// Whatever of a run is removed, files of others stay, beside ours and in folders
// of ours, and ours go.
func TestOnlyOursIsRemoved(t *testing.T) {
	for what, remove := range map[string]func(run string) error{
		"clean":    func(run string) error { return Clean(t.Context(), storage.Default, filepath.Join(run, "documents")) },
		"table":    func(run string) error { return RemoveTable(t.Context(), run, "documents") },
		"tasks":    func(run string) error { return RemoveTasks(t.Context(), run, "documents") },
		"shards":   func(run string) error { return RemoveShards(t.Context(), filepath.Join(run, "rejects", "crawl")) },
		"records":  func(run string) error { return removeFormer(t.Context(), run, recordsFolder, recordsFolder) },
		"rejects":  func(run string) error { return removeFormer(t.Context(), run, rejectsFolder, rejectsFolder) },
		"earlier":  func(run string) error { return removeFormer(t.Context(), run, "documents", "documents") },
		"versions": func(run string) error { return removeFormer(t.Context(), run, "rankings", "rankings") },
	} {
		run := t.TempDir()
		put := func(path string) {
			path = filepath.Join(run, path)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("years of work"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		ours := map[string]bool{}
		folders := []string{"", "documents", "documents/.records", "documents/more", "records", "records/documents", "records/mine", "rejects/crawl", "rejects/mine", "rankings", "rankings/" + v("a"), "rankings/" + v("a") + "/.records", "rankings/" + v("b"), "rankings/drafts", "cache"}
		for _, dir := range folders {
			names := []string{ShardName(0, 1), "." + ShardName(0, 1) + ".0123456789ab.tmp", "_commit.json"}
			if strings.Contains(dir, "records") {
				names = []string{"part-00000-of-00001.json", "_commit.json"}
			}
			for _, name := range names {
				ours[filepath.Join(dir, name)] = true
			}
		}
		for path := range ours {
			put(path)
		}
		var foreign []string
		for _, dir := range folders {
			for _, name := range near {
				foreign = append(foreign, filepath.Join(dir, name))
				put(filepath.Join(dir, name))
			}
		}
		if err := remove(run); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		for _, path := range foreign {
			if b, err := os.ReadFile(filepath.Join(run, path)); err != nil || string(b) != "years of work" {
				t.Errorf("%s: %s is gone: %v", what, path, err)
			}
		}
		var gone []string
		for _, path := range slices.Sorted(maps.Keys(ours)) {
			if _, err := os.Stat(filepath.Join(run, path)); err != nil {
				gone = append(gone, path)
			}
		}
		if len(gone) == 0 {
			t.Errorf("%s removes nothing", what)
		}
		for _, path := range gone {
			if dir := filepath.Dir(path); dir == "." || dir == "documents/more" || dir == "records" || dir == "records/mine" || dir == "rejects/mine" && what != "rejects" || dir == "rankings/drafts" || dir == "cache" {
				t.Errorf("%s: %s is gone, which is in no table's folder", what, path)
			}
		}
	}
}
