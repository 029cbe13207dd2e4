package label

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label/internal/compare"
)

// Tokens of the model's input and output (when and what to quote, section 3).
const (
	Quo  = "<quo>"
	Gen  = "<gen>"
	Eos  = "<eos>"
	Mask = "<mask>"
)

// Units cuts a turn into what a conversation can break off between: sentences
// in English, words in Chinese. Spans are code points, in order and apart.
type Units func(turn string) []commonplace.Span

// ConversationOptions say how conversations become examples.
type ConversationOptions struct {
	Units  Units // where a conversation can break off; nil is [WordUnits]
	Target int   // units that the target of a <gen> example keeps at most, in one sentence: 1 sentence, or 4 words; 0 is 1
	Added  int   // <gen> examples a conversation; 0 for one at every place. The papers' corpora have about 1
	Seed   int64
	Split  Split             // by group of conversations, whatever By says
	Groups map[string]string // from [ConversationGrouper.Group]; a conversation that is not named is by its own id
}

// GroupOf is the group of a conversation, by id.
func (o ConversationOptions) GroupOf(id string) string { return cmp.Or(o.Groups[id], id) }

// QuotationList is the closed list of quotations.
type QuotationList struct {
	All    []string // every one of the training set, once, in alphabetical order
	folded []string // the same after Normalise, those that have a letter
}

// NewQuotationList reads the conversations of the training set.
func NewQuotationList(train []commonplace.Conversation) *QuotationList {
	list := &QuotationList{}
	for _, c := range train {
		if q := strings.TrimFunc(c.Quotation, isSpace); q != "" {
			list.All = append(list.All, q)
		}
	}
	slices.Sort(list.All)
	list.All = slices.Compact(list.All)
	for _, q := range list.All {
		if folded := Normalise(q); folded != "" {
			list.folded = append(list.folded, folded)
		}
	}
	return list
}

// Replies are the examples of one conversation: first that in which the
// quotation follows (label <quo>), then those added in which something ordinary
// does (<gen>): the conversation breaks off between two units, in a turn or
// between turns, and the target is the next unit, or up to Target of them in
// the same sentence (Appendix B). A place before which nothing was said, or at
// which a listed quotation follows, is none.
//
// A conversation without turns or quotation, or whose quotation is not on the
// list, is refused.
func (list *QuotationList) Replies(c commonplace.Conversation, o ConversationOptions) ([]commonplace.Reply, *commonplace.Reject) {
	quotation := strings.TrimFunc(c.Quotation, isSpace)
	at, listed := slices.BinarySearch(list.All, quotation)
	refuse := func(reason, detail string) ([]commonplace.Reply, *commonplace.Reject) {
		return nil, &commonplace.Reject{Stage: "label", ID: c.ID, Reason: reason, Detail: detail}
	}
	var turns []string
	for _, turn := range c.Turns {
		if turn = strings.TrimFunc(turn, isSpace); turn != "" {
			turns = append(turns, turn)
		}
	}
	switch {
	case len(turns) == 0:
		return refuse(ReasonNoTurns, fmt.Sprintf("%d turns, none with a word", len(c.Turns)))
	case !listed:
		return refuse(ReasonNotListed, fmt.Sprintf("%q is not among the %d of the training set", quotation, len(list.All)))
	}
	group := o.GroupOf(c.ID)
	split := o.Split.Of(group, c.ID)
	replies := []commonplace.Reply{reply(c.ID, c.ID, turns, quotation, Quo, int64(at), group, split)}
	places := breakOffs(turns, o)
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	if o.Added > 0 {
		order = generator(o.Seed, c.ID).Perm(len(places))
	}
	var picked []int
	for _, k := range order {
		if o.Added > 0 && len(picked) == o.Added {
			break
		}
		if !list.within(places[k].next) {
			picked = append(picked, k)
		}
	}
	slices.Sort(picked)
	for _, k := range picked {
		p := places[k]
		id := fmt.Sprintf("%s#%d-%d", c.ID, p.turn, p.unit)
		replies = append(replies, reply(id, c.ID, p.said, p.next, Gen, -1, group, split))
	}
	return replies, nil
}

// Reasons for which a conversation gives no example.
const (
	ReasonNoTurns   = "no turns"
	ReasonNotListed = "quotation not in the list"
)

// breakOff is a place at which a conversation can break off.
type breakOff struct {
	turn, unit int
	said       []string // before
	next       string   // target
}

func breakOffs(turns []string, o ConversationOptions) []breakOff {
	if o.Units == nil {
		o.Units = WordUnits
	}
	var places []breakOff
	for t, turn := range turns {
		units := o.Units(turn)
		offsets := commonplace.NewOffsets(turn)
		for u, unit := range units {
			before := strings.TrimFunc(turn[:offsets.Byte(unit.Begin)], isSpace)
			said := slices.Clone(turns[:t])
			if before != "" {
				said = append(said, before)
			}
			if len(said) == 0 {
				continue
			}
			next := offsets.Slice(target(offsets, units[u:], o.Target))
			if next != "" {
				places = append(places, breakOff{t, u, said, next})
			}
		}
	}
	return places
}

// target is the first of the units and those that follow on it, so many at most
// and none beyond the end of a sentence: what somebody might say next is no half
// of two sentences.
func target(offsets *commonplace.Offsets, units []commonplace.Span, most int) commonplace.Span {
	span := units[0]
	for _, next := range units[1:min(len(units), max(1, most))] {
		if endsSentence(offsets.Slice(span)) {
			break
		}
		span.End = next.End
	}
	return span
}

// endsSentence says that a text ends with the mark of a sentence's end, closing
// marks behind it aside. A full stop of the Latin script is none: it stands in
// numbers and names too, and English is cut into sentences.
func endsSentence(text string) bool {
	text = strings.TrimRightFunc(text, func(r rune) bool { return isSpace(r) || unicode.In(r, unicode.Pe, unicode.Pf) || r == '"' || r == '\'' })
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune("。｡！!？?", last) && last != utf8.RuneError
}

// within says that a text has a listed quotation in it, or is one.
func (list *QuotationList) within(text string) bool {
	text = Normalise(text)
	return slices.ContainsFunc(list.folded, func(q string) bool { return strings.Contains(text, q) })
}

func reply(id, conversation string, turns []string, target, label string, quotation int64, group, split string) commonplace.Reply {
	return commonplace.Reply{
		ID: id, ConversationID: conversation, Turns: turns, Target: target, Label: label, Quotation: quotation,
		Input: strings.Join(turns, Eos) + Eos + Mask, Output: label + " " + target, Group: group, Split: split,
	}
}

// Overlap is the share of words that two contexts have in common, of all the
// words that either has: how far a paraphrase has gone from what it paraphrases
// (RA-MTR, Appendix D, which reports 0.19 on average). Equal texts have 1.
func Overlap(a, b string) float64 {
	x, y := slices.Compact(slices.Sorted(slices.Values(bagOfWords(a)))), slices.Compact(slices.Sorted(slices.Values(bagOfWords(b))))
	shared := compare.InBoth(x, y)
	all := len(x) + len(y) - shared
	if all == 0 {
		return 1
	}
	return float64(shared) / float64(all)
}
