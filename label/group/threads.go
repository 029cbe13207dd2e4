package group

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/label/internal/compare"
	"github.com/commonplace/commonplace/label/internal/disjoint"
	"github.com/commonplace/commonplace/sorting"
)

// conversationWords is the length of the runs that conversations are compared
// by. Everyday talk says the same three words everywhere; five, the shingle of
// most work on near-duplicates, it seldom repeats by chance.
const conversationWords = 5

// Thread is what is said in a conversation, for comparison: its words as
// [label.Normalise] folds them. Chinese and Japanese are written without spaces, so
// each of their characters is a word, however a corpus was segmented.
func Thread(turns []string) string {
	var b strings.Builder
	for _, r := range label.Normalise(strings.Join(turns, " ")) {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// ConversationGrouper groups conversations whose threads are equal, or
// near-duplicates: they share at least half of the runs of five words that the
// shorter one has, and at least three. A thread that was crawled twice, or with a
// reply more.
//
// It is shown every conversation, in any order, and holds none of them: threads
// are sorted and compared in temporary files. Errors are those of the files.
type ConversationGrouper struct{ threads sorting.Sorter } // conversation id, thread

// NewConversationGrouper has seen nothing. Its files lie in the folder temp,
// [os.TempDir] where it is empty.
func NewConversationGrouper(temp string) *ConversationGrouper {
	return &ConversationGrouper{sorting.Sorter{Dir: temp}}
}

// Add shows a conversation, with its thread from [Thread].
func (g *ConversationGrouper) Add(id, thread string) error {
	if thread == "" { // nothing said: nothing to be equal by
		return nil
	}
	return g.threads.Add([]byte(id), []byte(thread))
}

// Close lets the temporary files go.
func (g *ConversationGrouper) Close() error { return g.threads.Close() }

// Group names the group of every conversation, by id, that is not alone or the
// first of its group; the others' name is their own id.
//
// The name is the first of the group's ids in alphabetical order. So another
// conversation leaves each where it was, unless it joins a group and comes first
// there, or joins two.
func (g *ConversationGrouper) Group(ctx context.Context) (_ map[string]string, err error) {
	near := nearTexts{run: conversationWords, shingles: sorting.Sorter{Dir: g.threads.Dir}}
	equal := sorting.Sorter{Dir: g.threads.Dir} // by a hash of the thread
	names, err := newStore(g.threads.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, near.close(), equal.Close(), names.close()) }()
	var nameAt []int64
	err = g.threads.Each(func(id, thread []byte) error {
		sum := compare.Hash(string(thread))
		if err := equal.Add(sum[:], numbered(len(nameAt))); err != nil {
			return err
		}
		nameAt = append(nameAt, names.size)
		return names.write(id)
	})
	if err == nil {
		err = names.done()
	}
	if err != nil {
		return nil, err
	}
	nameAt = append(nameAt, names.size)
	trees := disjoint.New(len(nameAt) - 1)
	if err := joinEqual(trees, &equal); err != nil {
		return nil, err
	}
	// A thread that stands a thousand times is compared once, or all of its words
	// would be common.
	err = g.threads.Each(func(_, thread []byte) error {
		if i := len(near.sizes); trees.Root(i) != i {
			near.pass()
			return nil
		}
		return near.add(string(thread))
	})
	if err == nil {
		err = near.join(ctx, trees)
	}
	if err != nil {
		return nil, err
	}
	name := func(i int) (string, error) {
		id, err := names.read(nil, nameAt[i], nameAt[i+1]-nameAt[i])
		return string(id), err
	}
	groups := map[string]string{}
	for i := range trees {
		root := trees.Root(i)
		if root == i {
			continue
		}
		id, err := name(i)
		if err != nil {
			return nil, err
		}
		if groups[id], err = name(root); err != nil {
			return nil, err
		}
	}
	return groups, nil
}
