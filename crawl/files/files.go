// Package files reads documents and quote lists from files. It lists those of this
// machine and of buckets, and reads local ones.
//
// [ListAll] finds files by folder or glob and gives each its id; [Entries] names
// the documents that one of them holds, and [Open] reads them in any order, each
// a [commonplace.Document] or a reject that says why not. [Documents] does both
// for one file, [List] and [Read] do for plain texts alone.
// All are deterministic: the same files give the same ids in the same order.
//
//	listing, err := files.ListAll([]string{"books/", "more/**/*.txt.gz", "lists/*.jsonl"})
//	for _, file := range listing.Files {
//		for doc, err := range files.Documents(ctx, file, files.Options{Frame: files.FrameAuto}) { ... }
//	}
//
// A document's text is exactly the decoded file between the frame's two
// offsets. Nothing else is changed: CRLF stays CRLF. Compressed files are taken
// only after a clean end, within the limits that [Options] set.
package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/storage"
)

// File is one input file.
type File struct {
	ID   string // path below the root without .txt and .gz
	Path string // where to open it
	Rel  string // path below the root, with slashes, as it is shown; column documents.url
	Size int64  // bytes on disk

	Encoding string // what the source says of it, empty when nothing
	EBook    int64  // Project Gutenberg eBook number that the source gives it, 0 when none
}

// Listing is what List found. Every file that a pattern names is in Files, Duplicates or Skipped.
type Listing struct {
	Files      []File // in the order of their ids
	Duplicates []Duplicate
	LeadOut    []string // of a folder: which of the others are links to files outside it
	Skipped    []string // of a folder: files that are no texts by their names, such as README.md, links to folders, and folders of runs
}

// Notes say of what was passed over, and of links that lead out, how many there are.
func (l Listing) Notes() (notes []string) {
	if n := len(l.Skipped); n > 0 {
		notes = append(notes, fmt.Sprintf("passed over %d that are no texts by their names, such as %s", n, crawl.Printable(path.Base(l.Skipped[0]))))
	}
	if n := len(l.LeadOut); n > 0 {
		notes = append(notes, fmt.Sprintf("%s to files outside the folder read, such as %s", commonplace.CountOf(n, "link"), crawl.Printable(path.Base(l.LeadOut[0]))))
	}
	return notes
}

// Duplicate is a file whose id another file has.
type Duplicate struct{ File, First File }

// Reject says so.
func (t Duplicate) Reject() commonplace.Reject {
	return *rejected(t.File.ID, t.File.Path, ReasonDuplicate, crawl.Printable(t.First.Path)+" has this id already")
}

// MarshalJSON keeps the bytes of the path and of the id that is made of it.
func (f File) MarshalJSON() ([]byte, error) {
	type fields File
	return json.Marshal(struct {
		fields
		ID, Path crawl.Path
	}{fields(f), crawl.Path(f.ID), crawl.Path(f.Path)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (f *File) UnmarshalJSON(b []byte) error {
	type fields File
	var read struct {
		fields
		ID, Path crawl.Path
	}
	err := json.Unmarshal(b, &read)
	*f = File(read.fields)
	f.ID, f.Path = string(read.ID), string(read.Path)
	return err
}

// List finds the files of patterns. A pattern is a file, a folder (its texts,
// at any depth: .txt, .gz, .zip, .tar, and the lists that Spark, and so passim, writes: part-00000*.json), or a glob, in which ** stands for any number
// of folders. Hidden files and folders of runs are left out. A pattern that matches nothing is an error.
func List(ctx context.Context, patterns []string) (Listing, error) {
	return list(ctx, patterns, isTextOrPart)
}

func isTextOrPart(rel string) bool { return isText(rel) || isPart(rel) }

// ListAll is List for [Entries]: of a folder it takes also TEI (.xml) and pages
// (.html, .htm). Other lists
// and tables (.jsonl, .ndjson, .parquet) have to be named, or
// matched by a glob: a folder's may be about its texts and hold none.
func ListAll(ctx context.Context, patterns []string) (Listing, error) {
	return list(ctx, patterns, func(rel string) bool {
		switch kindOf(rel) {
		case ".xml", ".html", ".htm":
			return true
		}
		return isTextOrPart(rel)
	})
}

// isPart says by its name that a file is a part of a list that Spark wrote: part-00000 and
// more. A file part-1.json may describe a text part-1.txt.
func isPart(name string) bool {
	return partName.MatchString(path.Base(name)) && File{Path: name}.IsJSONL()
}

var partName = regexp.MustCompile(`^part-\d{5}`)

// sparkMark is the empty file by which Spark says that it wrote all of a folder.
const sparkMark = "_SUCCESS"

func list(ctx context.Context, patterns []string, isText func(rel string) bool) (Listing, error) {
	var l Listing
	byID := map[string]int{} // in l.Files
	seen := map[string]bool{}
	for _, pattern := range patterns {
		found, leadOut, skipped, err := match(ctx, pattern, isText)
		if err != nil {
			return Listing{}, err
		}
		l.LeadOut, l.Skipped = append(l.LeadOut, leadOut...), append(l.Skipped, skipped...)
		for _, f := range found {
			if seen[f.Path] {
				continue // named by two patterns
			}
			seen[f.Path] = true
			if f.isList() { // its lines have ids of their own
				l.Files = append(l.Files, f)
				continue
			}
			if duplicate, taken := byID[f.ID]; taken {
				l.Duplicates = append(l.Duplicates, Duplicate{f, l.Files[duplicate]})
				continue
			}
			byID[f.ID] = len(l.Files)
			l.Files = append(l.Files, f)
		}
	}
	slices.SortStableFunc(l.Files, func(a, b File) int { return strings.Compare(a.ID, b.ID) })
	slices.Sort(l.LeadOut)
	l.LeadOut = slices.Compact(l.LeadOut)
	slices.Sort(l.Skipped)
	l.Skipped = slices.DeleteFunc(slices.Compact(l.Skipped), func(p string) bool { return seen[p] })
	return l, nil
}

// match finds the files of one pattern, sorted by path.
func match(ctx context.Context, pattern string, isText func(rel string) bool) (found []File, leadOut, skipped []string, err error) {
	t, err := storage.OpenTree(ctx, pattern)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("files: %w", err)
	}
	if t.File != "" {
		size := int64(0)
		if info, err := fs.Stat(t.FS, t.File); err == nil {
			size = info.Size()
		}
		return []File{newFile(t.Path(t.File), t.File, size)}, nil, nil, nil
	}
	err = fs.WalkDir(t.FS, ".", func(rel string, d fs.DirEntry, err error) error {
		if ended := ctx.Err(); ended != nil {
			return ended
		}
		if err != nil {
			return err
		}
		if rel != "." && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		p := t.Path(rel)
		if d.IsDir() {
			if _, err := fs.Stat(t.FS, path.Join(rel, storage.MarkFile)); err == nil {
				skipped = append(skipped, p+": the folder of a run")
				return fs.SkipDir
			}
			return nil
		}
		if t.Glob != "" && !matchGlob(t.Glob, rel) {
			return nil
		}
		info, err := fs.Stat(t.FS, rel) // through a link
		if err != nil {                 // a link to nowhere: reading it says so
			found = append(found, newFile(p, rel, 0))
			return nil
		}
		switch {
		case info.IsDir(): // a link to a folder: it could lead in a circle
			skipped = append(skipped, p)
		case d.Name() == sparkMark && info.Size() == 0: // a glob's last * names it, too
		case t.Glob == "" && !isText(rel), !info.Mode().IsRegular():
			skipped = append(skipped, p)
		default:
			found = append(found, newFile(p, rel, info.Size()))
			if d.Type()&fs.ModeSymlink != 0 && t.LeadsOut(rel) {
				leadOut = append(leadOut, p)
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, nil, fmt.Errorf("files: list %s: %w", pattern, err)
	}
	if len(found) == 0 {
		what := "the folder holds no text, plain (.txt) or packed (.txt.gz, .zip, .tar)" + adviceOn(pattern, skipped)
		if t.Glob != "" {
			what = "no file matches"
		}
		return nil, nil, nil, fmt.Errorf("files: no input at %s: %s", pattern, what)
	}
	slices.SortFunc(found, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return found, leadOut, skipped, nil
}

// adviceOn says what to do about a folder without texts that holds something else.
func adviceOn(folder string, skipped []string) string {
	for _, p := range skipped {
		if f := (File{Path: p}); f.isList() {
			name := path.Base(p)
			end := strings.LastIndex(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".")
			advice := fmt.Sprintf("; it holds lists, such as %s, which have to be named: %s", crawl.Printable(name), strings.TrimSuffix(storage.InGlob(folder), "/")+"/**/*"+name[end:])
			if strings.HasPrefix(strings.ToLower(name[end:]), ".json") && !strings.HasPrefix(strings.ToLower(name[end:]), ".jsonl") {
				advice += " (a record a line; an array has to be made lines first)"
			}
			return advice
		}
	}
	return "; EPUB and PDF are not read: convert them to text or HTML"
}

func newFile(p, rel string, size int64) File {
	return File{ID: ID(rel), Path: p, Rel: crawl.Printable(rel), Size: size}
}

// ID is the id of a plain file: its path without .gz and then without .txt.
func ID(rel string) string {
	id := strings.TrimSuffix(rel, ".gz")
	id = strings.TrimSuffix(id, ".txt")
	if id == "" || strings.HasSuffix(id, "/") { // a file called ".txt"
		return rel
	}
	return id
}

// isText says by its name that a file of a folder is a text.
func isText(rel string) bool {
	name := strings.ToLower(path.Base(rel))
	if kindOf(name) == ".tar" {
		return true
	}
	switch inner := strings.TrimSuffix(name, ".gz"); path.Ext(inner) {
	case ".txt", ".zip":
		return true
	case ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".xml", ".html", ".htm", ".parquet", ".warc", ".rdf":
		return false
	default:
		return inner != name
	}
}

// cause is the reason inside a path error, whose path the caller says itself.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
