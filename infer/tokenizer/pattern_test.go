package tokenizer

import (
	"reflect"
	"strings"
	"testing"
)

// What the reference, with Oniguruma, makes of the texts: Split, isolated.
func TestExpressionsAreReadAsTheReferenceReadsThem(t *testing.T) {
	for _, test := range []struct {
		expression, text string
		want             [][2]int
	}{
		{`\s+$`, "a \nb  c ", [][2]int{{0, 1}, {1, 2}, {2, 7}, {7, 8}}},
		{`^a`, "a\naa\nba", [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 7}}},
		{`[\w']+`, "½ d'é\u200dⅧ ²", [][2]int{{0, 2}, {2, 5}, {5, 6}, {6, 7}, {7, 9}}},
		{`\w+`, "½ d'é\u200dⅧ ²", [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}}},
		{llama3Pattern, "x'ſa'ﬆb 1234٣½", [][2]int{{0, 1}, {1, 3}, {3, 4}, {4, 7}, {7, 8}, {8, 11}, {11, 14}}},
		{qwen2Pattern, "x'RE1234٣ \n!\r\n a", [][2]int{{0, 1}, {1, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 11}, {11, 14}, {14, 16}}},
		{`\W`, "a\u200d½", [][2]int{{0, 1}, {1, 2}, {2, 3}}},
		{`\d+|\s`, "1٣²\u00a0x\u00852", [][2]int{{0, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}},
	} {
		p, err := newExpression(test.expression)
		if err != nil {
			t.Fatal(err)
		}
		var got [][2]int
		for _, part := range byPattern(p, isolated)(newAligned(test.text, 0)) {
			got = append(got, [2]int{int(part.begin[0]), int(part.end[part.len()-1])})
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s cuts %q at %v, want %v", test.expression, test.text, got, test.want)
		}
	}
}

// Go's engine would take all of these, and mean something else by them.
func TestExpressionsThatMeanSomethingElseAreRefused(t *testing.T) {
	for expression, want := range map[string]string{
		`\ba`: `\b`, `a\B`: `\B`, `(?m:a.b)`: `(?m:`, `(?i-s:a)`: `(?i-s:`, `a{,2}b`: `{,`, `a{2}?`: `{2}?`, `\Qa\E`: `\Q`,
		`[\S]+`: `\S`, `[^\W\d]`: `\W`, `[[:alpha:]]`: `[:`, `[a-w&&[^c-g]]`: `&&`, `a*`: "empty", `^`: "empty",
	} {
		if _, err := newExpression(expression); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "not supported") {
			t.Errorf("%s: error %v, want one with %q", expression, err, want)
		}
	}
	for _, expression := range []string{`\\b`, `(?i:'s|'t)`, `\[a\]`, `[.$^]`, `a{1,3}`, `(?:a|b)`} {
		if _, err := newExpression(expression); err != nil {
			t.Error(err)
		}
	}
}
