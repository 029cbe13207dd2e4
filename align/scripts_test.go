package align

import (
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// Texts of our own in scripts whose letters share symbols.
var (
	chinese = strings.Repeat("春天来了，河边的柳树长出了新叶，孩子们在桥上放风筝。", 1) +
		"老船夫说，水流得再急，也带不走河底的石头。他每天清晨把小船推进水里，天黑才回家。" +
		"镇上的人都认识他，却没有人知道他从哪里来。有一年冬天，大雪封了山路，他撑着船把药送到了对岸的村子。" +
		"从那以后，村里的孩子见了他都叫爷爷。书上写着许多道理，可是他只相信自己的双手。"
	arabic = "قال الشيخ لتلميذه إن الماء الذي يجري كل يوم لا يحمل الحجر من قاع النهر. " +
		"وكان الفتى يخرج مع الفجر إلى البستان ويسقي الأشجار قبل أن تشتد الشمس. " +
		"سألته أمه يوما لماذا تحب هذا العمل فقال لأن الشجرة تشكر من يسقيها بثمرها. " +
		"ولما كبر بنى بيتا صغيرا عند الجسر وفتح بابه لكل مسافر."
)

func TestOtherScriptsAreComparedByTheirLetters(t *testing.T) {
	for _, c := range []struct {
		name, text string
		a, b       string // two texts that fold to the same symbols, or differ in one letter
		same       float64
	}{
		{"alef and alef maqsura", arabic, "بنا", "بنى", 2.0 / 3},
		{"characters 34*34 apart", chinese, "河水", string([]rune{'河' + 34*34, '水'}), 0.5},
		{"one of eight characters", chinese, "老船夫说水流得急", "老船夫说水流得慢", 7.0 / 8},
		{"marks only", chinese, "老船夫说，水流", "老船夫说：水流。", 1},
		{"vowel signs", arabic, "كَتَبَ", "كتب", 1},
	} {
		if got := Similarity(c.a, c.b); got < c.same-1e-9 || got > c.same+1e-9 {
			t.Errorf("%s: similarity %.4f, want %.4f", c.name, got, c.same)
		}
	}
}

func TestChineseAndArabicQuotations(t *testing.T) {
	filler := func(text string) string { // another text of the same letters
		var b strings.Builder
		r := []rune(text)
		for i := range 40 {
			for k := range r {
				b.WriteRune(r[(k*(2*i+3)+i)%len(r)])
			}
			b.WriteString("\n")
		}
		return b.String()
	}
	for _, c := range []struct {
		text, quote, changed string
		kind                 string
		least, most          float64 // similarity of the changed one
	}{
		{chinese, "水流得再急，也带不走河底的石头", "水流得再急，也带不走河边的石头", commonplace.KindInexact, 0.9, 0.95},
		{chinese, "大雪封了山路，他撑着船把药送到了对岸的村子", "大雪封了山路……把药送到了对岸的村子", commonplace.KindEllipsis, 0.99, 1},
		{arabic, "لأن الشجرة تشكر من يسقيها بثمرها", "لان الشجره تشكر من يسقيها بثمرها", commonplace.KindInexact, 0.9, 0.99},
		{arabic, "الماء الذي يجري كل يوم لا يحمل الحجر", "الماء الذي يجري كل ليلة لا يحمل الحجر", commonplace.KindInexact, 0.75, 0.95},
	} {
		a := New(Options{})
		a.Add("book", c.text)
		a.Add("other", filler(c.text))
		for text, want := range map[string]string{c.quote: commonplace.KindExact, c.changed: c.kind} {
			rows, err := a.FindQuotes(commonplace.Quote{ID: "q", Text: text})
			if err != nil || len(rows) != 1 || rows[0].SourceID != "book" {
				t.Errorf("%s: %d rows, %v", text, len(rows), err)
				continue
			}
			r := rows[0]
			if r.Kind != want || text == c.quote && r.Similarity != 1 || text == c.changed && (r.Similarity < c.least || r.Similarity > c.most) {
				t.Errorf("%s is %s with similarity %.3f: %s", text, r.Kind, r.Similarity, r.SourceText)
			}
		}
	}
}
