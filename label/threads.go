package label

import (
	"slices"
	"strings"
	"unicode"
)

// conversationWords is the length of the runs that conversations are compared
// by. Everyday talk says the same three words everywhere; five, the shingle of
// most work on near-duplicates, it seldom repeats by chance.
const conversationWords = 5

// Thread is what is said in a conversation, for comparison: its words as
// [Normalise] folds them. Chinese and Japanese are written without spaces, so
// each of their characters is a word, however a corpus was segmented.
func Thread(turns []string) string {
	var b strings.Builder
	for _, r := range Normalise(strings.Join(turns, " ")) {
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

// GroupConversations names a group for every conversation, by id: those whose
// threads are equal, or near-duplicates, share one. They are near-duplicates
// when they share at least half of the runs of five words that the shorter one
// has, and at least three: a thread that was crawled twice, or with a reply more.
// threads are by conversation, from [Thread].
//
// The name is the first of the group's ids in alphabetical order. So another
// conversation leaves each where it was, unless it joins a group and comes first
// there, or joins two.
func GroupConversations(threads map[string]string) map[string]string {
	ids := make([]string, 0, len(threads))
	for id, thread := range threads {
		if thread != "" { // nothing said: nothing to be equal by
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = threads[id]
	}
	trees := joinNear(texts, conversationWords)
	first := map[string]int{} // by thread: one of less than three runs shares too few
	for i, text := range texts {
		if k, seen := first[text]; seen {
			trees.join(k, i)
		} else {
			first[text] = i
		}
	}
	groups := make(map[string]string, len(threads))
	for id := range threads {
		groups[id] = id
	}
	for i, id := range ids {
		groups[id] = ids[trees.root(i)]
	}
	return groups
}
