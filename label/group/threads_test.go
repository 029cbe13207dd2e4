package group

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/label/internal/disjoint"
)

// threads are conversations in two languages, with what of them is the same.
func threads() (turns map[string][]string, groups map[string]string) {
	english := []string{"Nobody answered my mail. I sent it on Monday before noon.", "They were all at the fair. I saw two of them there."}
	han := []string{"没有人回我的信，我星期一就寄了。", "大家都去赶集了，我还碰见两位。"}
	turns = map[string][]string{
		"b first":     english,
		"c twice":     {"nobody answered my mail - I sent it on Monday, before noon", "", "They were all at the fair; I saw two of them there!"},
		"a reply":     append(slices.Clone(english), "So I wait another week? That is what you are telling me, and it is not the first time that I hear it."),
		"d word":      {"Nobody answered my mail. I sent it on Monday before noon.", "They were all at the market. I saw two of them there."},
		"e other":     {"She paid me back yesterday.", "They were all at the fair. After six years, I had forgotten that she owed me anything!"},
		"h han":       han,
		"i segmented": {"没有 人 回 我 的 信 ， 我 星期一 就 寄 了 。", "大家 都 去 赶集 了 ， 我 还 碰见 两 位 。"},
		"j han reply": append(slices.Clone(han), "那么还要再等一个礼拜吗？你就是这个意思？"),
		"k han other": {"她昨天把钱还给我了，我早就忘了。", "大家都去赶集了。已经六年了！"},
		"l short":     {"Hi!"},
		"m short":     {"hi"},
		"n short":     {"Hi there."},
		"o nothing":   {"?"},
		"p nothing":   {},
	}
	groups = map[string]string{
		"a reply": "a reply", "b first": "a reply", "c twice": "a reply", "d word": "a reply", "e other": "e other",
		"h han": "h han", "i segmented": "h han", "j han reply": "h han", "k han other": "k han other",
		"l short": "l short", "m short": "l short", "n short": "n short", "o nothing": "o nothing", "p nothing": "p nothing",
	}
	return turns, groups
}

// groupedThreads names the group of every conversation.
func groupedThreads(t *testing.T, said map[string]string) map[string]string {
	t.Helper()
	var grouper ConversationGrouper
	defer grouper.Close()
	for id, thread := range said {
		if err := grouper.Add(id, thread); err != nil {
			t.Fatal(err)
		}
	}
	named, err := grouper.Group(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	groups := map[string]string{}
	for id := range said {
		groups[id] = label.ConversationOptions{Groups: named}.GroupOf(id)
	}
	return groups
}

func grouped(t *testing.T, turns map[string][]string, without string) map[string]string {
	t.Helper()
	said := map[string]string{}
	for id, turns := range turns {
		if id != without {
			said[id] = Thread(turns)
		}
	}
	return groupedThreads(t, said)
}

func TestConversationsAreGrouped(t *testing.T) {
	turns, want := threads()
	if got := grouped(t, turns, ""); !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if got := Thread([]string{"Go, 我们走吧。", "Don't!"}); got != "go 我 们 走 吧 dont" {
		t.Errorf("thread %q", got)
	}
}

// A conversation that is taken away, or comes, moves none that it says nothing of.
func TestConversationMovesNoOther(t *testing.T) {
	turns, all := threads()
	for id := range turns {
		for other, group := range grouped(t, turns, id) {
			if all[other] != all[id] && group != all[other] {
				t.Errorf("without %q, %q is in %q, not in %q", id, other, group, all[other])
			}
		}
	}
}

// Rarest first, as joinNear does it, joins what comparing all with all joins.
func TestConversationsComparedInFull(t *testing.T) {
	said := map[string]string{}
	var ids []string
	g := rand.New(rand.NewPCG(1, 3))
	for i := range 150 { // pieces of one long thread, at different places and of different lengths
		var words []string
		at := g.IntN(600)
		for k := range 6 + g.IntN(40) {
			words = append(words, fmt.Sprint("w", at+k))
		}
		id := fmt.Sprintf("%03d", i)
		ids, said[id] = append(ids, id), strings.Join(words, " ")
	}
	trees := disjoint.New(len(ids))
	for i := range ids {
		for k := range i {
			a, b, shared := shinglesOf(said[ids[i]], conversationWords), shinglesOf(said[ids[k]], conversationWords), 0
			for _, h := range a {
				if slices.Contains(b, h) {
					shared++
				}
			}
			if shared >= leastShared && 2*shared >= min(len(a), len(b)) || said[ids[i]] == said[ids[k]] {
				trees.Join(i, k)
			}
		}
	}
	groups, names := groupedThreads(t, said), map[string]bool{}
	for i, id := range ids {
		if want := ids[trees.Root(i)]; groups[id] != want {
			t.Errorf("%s is in %s, want %s", id, groups[id], want)
		}
		names[groups[id]] = true
	}
	if len(names) < 3 || len(names) > 120 {
		t.Errorf("%d groups of %d: no test of joining", len(names), len(ids))
	}
}

// However often a thread stands, one with a reply more belongs to it.
func TestConversationsThatStandOften(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 7))
	var words []string
	for range 40 {
		words = append(words, fmt.Sprint("w", g.IntN(1_000_000)))
	}
	thread, said := strings.Join(words, " "), map[string]string{}
	for i := range commonShingles + 1 {
		said[fmt.Sprintf("%05d", i)] = thread
	}
	said["more"] = thread + " and this is what the last of them says of it"
	groups := groupedThreads(t, said)
	for id := range said {
		if groups[id] != "00000" {
			t.Fatalf("%s is in %s", id, groups[id])
		}
	}
}

func TestConversationsStayTogether(t *testing.T) {
	quoting := commonplace.Conversation{ID: "t", Turns: []string{"I am tired."}, Quotation: "Rome was not built in a day."}
	turns, _ := threads()
	groups := grouped(t, turns, "")
	apart := false // were there no groups
	for seed := range int64(10) {
		o := label.ConversationOptions{Target: 1, Split: label.Split{Train: 0.4, Validation: 0.3, Test: 0.3, Seed: seed}, Groups: groups}
		splits := map[string]string{}
		for _, id := range slices.Sorted(maps.Keys(turns)) {
			if id == "p nothing" {
				continue
			}
			c := commonplace.Conversation{ID: id, Turns: turns[id], Quotation: quoting.Quotation}
			replies, refused := label.NewQuotationList([]commonplace.Conversation{quoting}).Replies(c, o)
			if refused != nil {
				t.Fatal(refused)
			}
			for _, r := range replies {
				if r.Group != groups[id] || splits[r.Group] != "" && splits[r.Group] != r.Split {
					t.Errorf("seed %d: %+v", seed, r)
				}
				splits[r.Group] = r.Split
			}
		}
		if got := o.Split.Of("e other"); splits["e other"] != got {
			t.Errorf("seed %d: one that is alone is in %s, by its id it is in %s", seed, splits["e other"], got)
		}
		apart = apart || o.Split.Of("b first") != o.Split.Of("c twice")
	}
	if !apart {
		t.Error("by their ids the copies are never apart: no test of grouping")
	}
}
