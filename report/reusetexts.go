package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"sync"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// textPiece is how many code points of a document a browser loads at one time.
const textPiece = 200_000

// Of the documents that were read last so many are kept, of so many bytes together.
const (
	textsKept = 4
	textBytes = 64 << 20
)

// ErrRebuilt says that a run's documents are no longer those of the page.
var ErrRebuilt = errors.New("the documents were made again since the page was")

// Texts gives the whole texts of a run's documents, piece by piece, to a page that a
// server shows.
type Texts struct {
	dir         string
	fingerprint string // of the documents, for which the offsets of the page hold
	open        func(rights string) bool

	lock sync.Mutex
	kept []keptText // the last used one is the last
}

type keptText struct {
	id     string
	bytes  int
	pieces []string
}

// NewTexts begins with the run as it is now. open says by a document's rights whether its
// text may be shown; nil: every text may.
func NewTexts(ctx context.Context, dir string, open func(rights string) bool) (*Texts, error) {
	c, err := table.ReadCommit(ctx, storage.Default, dir, table.Documents.Name)
	if err != nil {
		return nil, err
	}
	return &Texts{dir: dir, fingerprint: c.Fingerprint(), open: open}, nil
}

// Piece is a script that gives the page a piece of a document's text. It is [fs.ErrNotExist]
// where there is no such document or piece, and where the text may not be shown.
func (t *Texts) Piece(ctx context.Context, id string, piece int) ([]byte, error) {
	c, err := table.ReadCommit(ctx, storage.Default, t.dir, table.Documents.Name)
	if err != nil {
		return nil, err
	}
	if c.Fingerprint() != t.fingerprint {
		return nil, ErrRebuilt
	}
	t.lock.Lock() // a page asks for all pieces at once, and one reading serves them
	defer t.lock.Unlock()
	if at := slices.IndexFunc(t.kept, func(k keptText) bool { return k.id == id }); at >= 0 {
		k := t.kept[at]
		t.kept = append(slices.Delete(t.kept, at, at+1), k)
	} else if err := t.read(ctx, c, id); err != nil {
		return nil, err
	}
	pieces := t.kept[len(t.kept)-1].pieces
	if piece < 0 || piece >= len(pieces) {
		return nil, fmt.Errorf("piece %d of %s: %w", piece, id, fs.ErrNotExist)
	}
	return textScript(id, piece, pieces[piece])
}

// read puts a document behind those that are kept. Its id says which shard has it.
func (t *Texts) read(ctx context.Context, c table.Commit, id string) error {
	path := c.ShardPaths(t.dir)[table.ShardOf(id, len(c.Shards))]
	for d, err := range table.Documents.Rows(ctx, path, "doc_id", "rights", "text") {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if d.ID != id {
			continue
		}
		if t.open != nil && !t.open(d.Rights) {
			break
		}
		t.kept = append(t.kept, keptText{id, len(d.Text), slices.Collect(pieces(d.Text))})
		sum := 0
		for i := len(t.kept) - 1; i >= 0; i-- {
			if sum += t.kept[i].bytes; i < len(t.kept)-1 && (sum > textBytes || len(t.kept)-i > textsKept) {
				t.kept = slices.Delete(t.kept, 0, i+1)
				break
			}
		}
		return nil
	}
	return fmt.Errorf("text of %s: %w", id, fs.ErrNotExist)
}

// pieces cuts a text, an empty one into one empty piece.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		begin, n := 0, 0
		for i := range text {
			if n == textPiece {
				if !yield(text[begin:i]) {
					return
				}
				begin, n = i, 0
			}
			n++
		}
		yield(text[begin:])
	}
}

// textScript is a piece as the page loads it: by script, as the parts with matches, since a
// page that is opened from a file can load nothing else.
func textScript(id string, piece int, text string) ([]byte, error) {
	row, err := json.Marshal([]any{id, piece, text}) // < and > are escaped, which a script of a page needs
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "commonplaceText(%s)\n", row[1:len(row)-1]), nil
}

// texts writes the texts to parts, where they are wanted beside the page.
func (g *reuseGatherer) texts() error {
	if !g.o.Texts {
		return nil
	}
	c := g.commits[table.Documents.Name]
	for i, path := range c.ShardPaths(g.dir) {
		g.step("writing the texts", i, len(c.Shards))
		for d, err := range table.Documents.Rows(g.ctx, path, "doc_id", "text") {
			if err == nil {
				err = g.ctx.Err()
			}
			if err != nil {
				return err
			}
			at, ok := g.places[d.ID]
			if !ok || g.data.Documents[at].Withheld {
				continue
			}
			of := g.data.Documents[at]
			for text := range pieces(d.Text) {
				script, err := textScript(d.ID, len(of.Texts), text)
				if err != nil {
					return err
				}
				address, err := g.o.Part(script)
				if err != nil {
					return err
				}
				of.Texts = append(of.Texts, address)
			}
		}
	}
	return nil
}
