// Package archive keeps what was fetched for a run, and knows what is still
// wanted. Its folder holds WARC files, one for each host and pass, which are the
// truth, and beside each an index, which saves reading them again and can be
// deleted at any time. The folder may be a link. Its files are regular ones: a link among
// them may lead to a file of somebody else's, and is refused.
//
// A crawl goes over its addresses in passes. An answer of the present pass is
// not asked for again, so that a killed crawl goes on where it was; a new pass
// asks with If-None-Match and If-Modified-Since for what an earlier one kept.
//
// [Archive.Resolve] says what became of a [Target]: which address has to be asked
// next, which answer was found, or why there is none. All state is in the
// answers themselves: redirects and missing files lead on to the next address.
package archive

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/fetch"
	"github.com/commonplace/commonplace/crawl/warc"
	"github.com/commonplace/commonplace/storage"
)

// Archive is what a folder holds, in memory without the answers themselves. It
// is safe for concurrent use.
type Archive struct {
	dir  string
	pass Pass
	run  string

	lock sync.RWMutex // of what is known
	urls map[crawl.Address]*known
}

// known is the last that is known of an address.
type known struct {
	answer  Entry // the last answer, also a redirect or a missing file
	failure Entry // the last failure
}

// Load reads what a folder holds; one that is not there holds nothing. Failures
// that another run may mend count as settled in the run of that name only.
func Load(dir, run string) (*Archive, error) {
	a := &Archive{dir: dir, run: run, urls: map[crawl.Address]*known{}}
	var err error
	if a.pass, err = readPass(dir); err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(escape(dir), "*"+warc.Extension))
	if err != nil {
		return nil, err
	}
	slices.Sort(names) // earlier passes first
	for _, name := range names {
		if err := a.read(filepath.Base(name)); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// known is a copy of what is known of an address.
func (a *Archive) known(address crawl.Address) known {
	a.lock.RLock()
	defer a.lock.RUnlock()
	if k := a.urls[address]; k != nil {
		return *k
	}
	return known{}
}

// escape makes a folder's name a pattern that matches nothing else.
func escape(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// indexOf is the index beside a WARC file.
func indexOf(path string) string { return path + ".index" }

// read takes in a WARC file by its index, and what follows the index's
// last entry by itself.
func (a *Archive) read(name string) error {
	path := filepath.Join(a.dir, name)
	f, err := storage.OpenOwn(path, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	entries, end, err := readIndex(indexOf(path), info.Size())
	if err != nil {
		return err
	}
	for _, e := range entries {
		a.take(e)
	}
	if end == info.Size() {
		return nil
	}
	if _, err := warc.Whole(f, end, func(record warc.Record) {
		if e, ok := Describe(record, name, maxBody); ok {
			a.take(e)
		}
	}); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// maxIndexLine is longer than any line that we write: headers have at most 64 KiB.
const maxIndexLine = 1 << 20

// readIndex reads an index as far as it is whole and fits its file. What follows is read
// from that file. Where nothing whole follows in it, the index may be of other bytes: it is
// left out, as a crawl cuts off what follows the last whole record.
func readIndex(path string, size int64) (entries []Entry, end int64, err error) {
	f, err := storage.OpenOwn(path, os.O_RDONLY)
	if errors.Is(err, storage.ErrDamaged) {
		return nil, 0, err // it would be written to
	}
	if err != nil {
		return nil, 0, nil
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, maxIndexLine)
	for in.Scan() {
		var e Entry
		if json.Unmarshal(in.Bytes(), &e) != nil || e.End <= e.Offset || e.Offset < end || indexOf(string(e.File)) != filepath.Base(path) {
			break
		}
		if e.End > size { // the file was lost in part: believe the file alone
			return nil, 0, nil
		}
		entries, end = append(entries, e), e.End
	}
	if end > 0 && end < size {
		if _, err := warc.ReadAt(strings.TrimSuffix(path, indexOf("")), end, 0, warc.Own); err != nil {
			return nil, 0, nil
		}
	}
	return entries, end, nil
}

// take adds an entry to what is known.
func (a *Archive) take(e Entry) {
	if e.Kind == "" || !e.URL.Valid() { // only a place in the file
		return
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	k := a.urls[e.URL]
	if k == nil {
		k = &known{}
		a.urls[e.URL] = k
	}
	switch e.Kind {
	case Failed:
		k.failure = e
	case Unchanged:
		k.answer.Pass = max(k.answer.Pass, e.Pass)
	default:
		k.answer = e
	}
}

// Answer reads a kept answer, its body decoded.
func (a *Archive) Answer(e Entry, maxBytes int64) (fetch.Message, error) {
	return Answer(a.dir, e, maxBytes)
}

// Answer reads an answer that an archive in the folder keeps.
func Answer(dir string, e Entry, maxBytes int64) (fetch.Message, error) {
	record, err := warc.ReadAt(filepath.Join(dir, string(e.File)), e.Offset, 0, warc.Own)
	if err != nil {
		return fetch.Message{}, err
	}
	if of, err := crawl.ParseAddress(record.URL); err != nil || of != e.URL {
		return fetch.Message{}, fmt.Errorf("archive: %s, byte %d: the record is of %s, not of %s; delete the index beside it", e.File, e.Offset, record.URL, e.URL)
	}
	return fetch.Read(record.Block, maxBytes)
}

// Folder is where the archive is.
func (a *Archive) Folder() string { return a.dir }

// fileName names the WARC file of a host in a pass; a host's name may be an
// address of version 6, or anything that somebody wrote into a link.
func fileName(pass int, host string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, host)
	if safe != host || len(safe) > 100 {
		sum := sha256.Sum256([]byte(host)) // nobody can name two hosts of one hash, which would write over each other's answers
		safe = safe[:min(len(safe), 100)] + "_" + hex.EncodeToString(sum[:12])
	}
	return fmt.Sprintf("%05d-%s%s", pass, safe, warc.Extension)
}

// passOf is the pass that a file's name says.
func passOf(name string) int {
	n, _ := strconv.Atoi(name[:min(5, len(name))])
	return n
}

// Pass is how often all addresses were gone over.
type Pass struct {
	Number int    `json:"pass"`
	Done   bool   `json:"done"`            // every address was settled
	Ended  string `json:"ended,omitempty"` // when, RFC 3339
}

const (
	passFile = "pass.json"
	maxPass  = 1 << 16
)

func readPass(dir string) (Pass, error) {
	p := Pass{Number: 1}
	b, err := storage.ReadOwn(filepath.Join(dir, passFile), maxPass)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(b, &p); err != nil || p.Number < 1 {
		return p, fmt.Errorf("archive: %s says of no pass; delete it, and the first pass goes on", filepath.Join(dir, passFile))
	}
	return p, nil
}

// Pass is the present one.
func (a *Archive) Pass() Pass { return a.pass }
