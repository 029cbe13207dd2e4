package label

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// english cuts at full stops, chinese every two characters.
func english(turn string) []commonplace.Span {
	var out []commonplace.Span
	for _, p := range sentences(commonplace.Document{Text: turn}) {
		out = append(out, commonplace.Span{Begin: int(p.Begin), End: int(p.End)})
	}
	return out
}

func chinese(turn string) []commonplace.Span {
	var out []commonplace.Span
	n := len([]rune(turn))
	for i := 0; i < n; i += 2 {
		out = append(out, commonplace.Span{Begin: i, End: min(n, i+2)})
	}
	return out
}

var talk = commonplace.Conversation{ID: "t", Turns: []string{"I am tired. So am I.", " ", "Go home then. To be or not to be!. Yes."}, Quotation: " Rome was not built in a day. "}

func options(units Units, target int) ConversationOptions {
	return ConversationOptions{Units: units, Target: target, Split: Split{Train: 1, By: ByExample}}
}

func TestRepliesInEnglish(t *testing.T) {
	list := NewQuotationList([]commonplace.Conversation{talk, {Quotation: "To be, or not to be"}, talk, {Quotation: ""}})
	if !slices.Equal(list.All, []string{"Rome was not built in a day.", "To be, or not to be"}) {
		t.Fatalf("list %q", list.All)
	}
	replies, refused := list.Replies(talk, options(english, 1))
	if refused != nil {
		t.Fatal(refused)
	}
	var got []string
	for _, r := range replies {
		got = append(got, strings.Join([]string{r.ID, r.Input, r.Output}, "|"))
		if r.Split != Train || r.ConversationID != "t" || (r.Quotation >= 0) != (r.Label == Quo) {
			t.Errorf("%+v", r)
		}
	}
	want := []string{
		"t|I am tired. So am I.<eos>Go home then. To be or not to be!. Yes.<eos><mask>|<quo> Rome was not built in a day.",
		"t#0-1|I am tired.<eos><mask>|<gen> So am I.",
		"t#1-0|I am tired. So am I.<eos><mask>|<gen> Go home then.",
		// "To be or not to be" is on the list: no ordinary sentence
		"t#1-2|I am tired. So am I.<eos>Go home then. To be or not to be!.<eos><mask>|<gen> Yes.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestRepliesInChinese(t *testing.T) {
	c := commonplace.Conversation{ID: "w", Turns: []string{"今天天气很好我们出去走走"}, Quotation: "画蛇添足"}
	replies, refused := NewQuotationList([]commonplace.Conversation{c}).Replies(c, options(chinese, 4))
	if refused != nil || len(replies) != 6 {
		t.Fatal(replies, refused)
	}
	if r := replies[1]; r.Target != "天气很好我们出去" || r.Input != "今天<eos><mask>" {
		t.Errorf("four words of two characters after the first: %+v", r)
	}
	if r := replies[5]; r.Target != "走走" || r.ID != "w#0-5" {
		t.Errorf("the last word alone: %+v", r)
	}
}

// A target of four words stays in its sentence, however the corpus was cut into words.
func TestChineseTargetsStayInTheirSentence(t *testing.T) {
	for turn, want := range map[string][]string{
		"我很累。我们走吧！好":             {"很累。", "累。", "我们走吧！", "们走吧！", "走吧！", "吧！", "好"},
		"我 很 累 。 我们 走 吧 ！ 好 吗 ？": {"很 累 。", "累 。", "我们 走 吧 ！", "走 吧 ！", "吧 ！", "好 吗 ？", "吗 ？"},
		"他说：“走吧。”我不走？！是":         {"说：“走吧。”", "“走吧。”", "吧。”", "我不走？！", "不走？！", "走？！", "是"},
		"有3.5斤《书》吗?没":            {"3.5斤《书》吗?", "斤《书》吗?", "《书》吗?", "吗?", "没"},
	} {
		c := commonplace.Conversation{ID: "w", Turns: []string{turn}, Quotation: "画蛇添足"}
		replies, refused := NewQuotationList([]commonplace.Conversation{c}).Replies(c, options(WordUnits, 4))
		if refused != nil {
			t.Fatal(refused)
		}
		var got []string
		for _, r := range replies[1:] {
			got = append(got, r.Target)
			if said := strings.TrimSuffix(r.Input, Eos+Mask); !strings.HasPrefix(turn, said) || !strings.HasPrefix(strings.TrimSpace(turn[len(said):]), r.Target) {
				t.Errorf("%s: %q does not follow on %q", turn, r.Target, said)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %q\nwant %q", turn, got, want)
		}
	}
}

func TestAddedRepliesAreDrawn(t *testing.T) {
	list := NewQuotationList([]commonplace.Conversation{talk, {Quotation: "To be, or not to be"}})
	seen := map[string]int{}
	o := options(english, 1)
	o.Added = 1
	for seed := range int64(3000) {
		o.Seed = seed
		replies, _ := list.Replies(talk, o)
		if len(replies) != 2 {
			t.Fatalf("%d replies, want the quotation's and one more", len(replies))
		}
		seen[replies[1].ID]++
	}
	for _, id := range []string{"t#0-1", "t#1-0", "t#1-2"} {
		if seen[id] < 800 || len(seen) != 3 {
			t.Errorf("drawn %v", seen)
		}
	}
	o.Added = 9
	if replies, _ := list.Replies(talk, o); len(replies) != 4 {
		t.Errorf("%d replies, all that there are is 4", len(replies))
	}
}

func TestConversationsAreRefused(t *testing.T) {
	list := NewQuotationList([]commonplace.Conversation{talk})
	for reason, c := range map[string]commonplace.Conversation{
		ReasonNoTurns:   {ID: "x", Turns: []string{"", "\n"}, Quotation: talk.Quotation},
		ReasonNotListed: {ID: "x", Turns: []string{"a"}, Quotation: "Time is money."},
	} {
		replies, refused := list.Replies(c, options(english, 1))
		if len(replies) != 0 || refused == nil || refused.Reason != reason || refused.ID != "x" {
			t.Errorf("%s: %v %v", reason, replies, refused)
		}
	}
	if _, refused := list.Replies(commonplace.Conversation{ID: "x", Turns: []string{"a"}}, options(english, 1)); refused == nil {
		t.Error("a conversation without a quotation was taken")
	}
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{{"the cat sat", "The CAT, the cat!", 2. / 3}, {"a b", "c d", 0}, {"a b", "b a", 1}, {"", "", 1}, {"", "a", 0}, {"a b c", "b c d e", 2. / 5}} {
		if got := Overlap(c.a, c.b); math.Abs(got-c.want) > 1e-12 || Overlap(c.b, c.a) != got {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
