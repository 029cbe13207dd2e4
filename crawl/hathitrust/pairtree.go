// Package hathitrust reads a research data set granted by HathiTrust: a pairtree
// of volumes, each a zip of OCR pages beside a METS file, and the hathifiles
// that say what the volumes are and what may be done with them.
//
//	for volume, err := range hathitrust.Volumes(ctx, os.DirFS("dataset")) {
//		doc, err := hathitrust.Read(ctx, volume, record, hathitrust.Options{Heads: true, Hyphens: true})
//	}
//
// Text is granted, not crawled: this package opens no connection.
package hathitrust

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl"
)

// CleanID encodes the local part of a volume's id for a file's name, as
// pairtrees do (the Pairtree specification, section 3): first the characters
// that file systems dislike as ^hex, then : / . as + = and a comma.
func CleanID(local string) string {
	var b strings.Builder
	for i := range len(local) {
		switch c := local[i]; {
		case c < 0x21 || c > 0x7e || strings.IndexByte(`"*+,<=>?\^|`, c) >= 0:
			fmt.Fprintf(&b, "^%02x", c)
		case c == ':':
			b.WriteByte('+')
		case c == '/':
			b.WriteByte('=')
		case c == '.':
			b.WriteByte(',')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// LocalID is the local part whose CleanID is the name. It refuses names that
// no id has.
func LocalID(clean string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(clean); i++ {
		switch c := clean[i]; c {
		case '+':
			b.WriteByte(':')
		case '=':
			b.WriteByte('/')
		case ',':
			b.WriteByte('.')
		case '^':
			if i+2 >= len(clean) {
				return "", fmt.Errorf("%q ends in the middle of ^hex", clean)
			}
			n := 0
			if _, err := fmt.Sscanf(clean[i+1:i+3], "%02x", &n); err != nil {
				return "", fmt.Errorf("%q has %q where ^hex must be", clean, clean[i:i+3])
			}
			b.WriteByte(byte(n))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	if id := b.String(); CleanID(id) == clean {
		return id, nil
	}
	return "", fmt.Errorf("%q is not the name of any id", clean)
}

// PairPath is where a pairtree keeps a volume, below the folder of the data set:
//
//	PairPath("uc2.ark:/13960/t1") == "uc2/pairtree_root/ar/k+/=1/39/60/=t/1/ark+=13960=t1"
//
// The id is a library's prefix, a full stop and the local part.
func PairPath(htid string) (string, error) {
	library, local, ok := strings.Cut(htid, ".")
	if !ok || library == "" || local == "" || strings.ContainsAny(library, "/\\\x00") || library == ".." {
		return "", fmt.Errorf("hathitrust: %q is no volume id; it must be a library's prefix, a full stop and the rest, such as uc2.ark:/13960/t1", htid)
	}
	clean := CleanID(local)
	parts := []string{library, "pairtree_root"}
	for i := 0; i < len(clean); i += 2 {
		parts = append(parts, clean[i:min(i+2, len(clean))])
	}
	return path.Join(append(parts, clean)...), nil
}

// Volume is one volume of a data set.
type Volume struct {
	ID   string // htid, such as uc2.ark:/13960/t1
	Zip  string // the zip of its pages
	METS string // the METS file beside it, empty when there is none
}

// volumeJSON is a volume whose paths keep their bytes.
type volumeJSON struct {
	ID        string
	Zip, METS crawl.Path
}

// MarshalJSON keeps the paths' bytes.
func (v Volume) MarshalJSON() ([]byte, error) {
	return json.Marshal(volumeJSON{v.ID, crawl.Path(v.Zip), crawl.Path(v.METS)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (v *Volume) UnmarshalJSON(b []byte) error {
	var read volumeJSON
	err := json.Unmarshal(b, &read)
	*v = Volume{read.ID, string(read.Zip), string(read.METS)}
	return err
}

// ReasonBadID refuses what has no id of a volume.
const ReasonBadID = "bad id"

// Volumes finds the volumes of a data set: every zip in a folder of the same
// name below some LIBRARY/pairtree_root, in the order of their paths. An error
// about one volume is a [commonplace.RejectError] and does not end the search. Paths
// of volumes are below the data set's folder.
func Volumes(ctx context.Context, set fs.FS) iter.Seq2[Volume, error] {
	return func(yield func(Volume, error) bool) {
		found := false
		err := fs.WalkDir(set, ".", func(p string, d fs.DirEntry, err error) error {
			if ended := ctx.Err(); ended != nil {
				return ended
			}
			if err != nil {
				return err
			}
			name, isZip := strings.CutSuffix(d.Name(), ".zip")
			if d.IsDir() || !isZip || path.Base(path.Dir(p)) != name {
				return nil
			}
			found = true
			v, err := volume(set, p, name)
			if !yield(v, err) {
				return fs.SkipAll
			}
			return nil
		})
		switch {
		case err != nil:
			yield(Volume{}, fmt.Errorf("hathitrust: read the pairtree: %w", err))
		case !found:
			yield(Volume{}, noVolumes(set))
		}
	}
}

func volume(set fs.FS, p, name string) (Volume, error) {
	refused := func(detail string) error {
		return &commonplace.RejectError{Reject: commonplace.Reject{Reason: ReasonBadID, Detail: detail, Location: p}}
	}
	before, _, ok := strings.Cut(p, "/pairtree_root/")
	if !ok {
		return Volume{Zip: p}, refused(crawl.Printable(p) + " is not below LIBRARY/pairtree_root, so its id is unknown")
	}
	local, err := LocalID(name)
	if err != nil {
		return Volume{Zip: p}, refused(err.Error())
	}
	v := Volume{ID: path.Base(before) + "." + local, Zip: p}
	mets := strings.TrimSuffix(p, ".zip") + ".mets.xml"
	if _, err := fs.Stat(set, mets); err == nil {
		v.METS = mets
	}
	return v, nil
}

// noVolumes says why a folder holds none, and names Extracted Features when it
// holds those.
func noVolumes(set fs.FS) error {
	features := ""
	_ = fs.WalkDir(set, ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && (strings.HasSuffix(d.Name(), ".json.bz2") || strings.HasSuffix(d.Name(), ".basic.json.bz2")) {
			features = p
			return fs.SkipAll
		}
		return nil
	})
	if features != "" {
		return fmt.Errorf("hathitrust: %s is an Extracted Features file: a bag of words, in which no quotation can be aligned; a research data set with the pages' text is needed", features)
	}
	return errors.New("hathitrust: this folder holds no volume; a data set has LIBRARY/pairtree_root/.../NAME/NAME.zip")
}
