package report

import (
	"strings"
	"unicode"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/segment"
)

// leastContext is how many words are shown before and after a passage, if its
// neighbours have so many; mostContext is where a sentence is cut that does not end.
const leastContext, mostContext = 15, 80

// joined are the texts of neighbouring passages with what stands between them: a
// blank line where there are two code points or more, which is no more than the end
// of a line where lines end with two.
func joined(a, b commonplace.Ranking) (text string, at int) {
	between := " "
	if n := b.Begin - a.End; n > 2 || n == 2 && !strings.Contains(a.Text, "\r\n") {
		between = "\n\n"
	} else if n == 0 {
		between = ""
	}
	return a.Text + between + b.Text, len(a.Text)
}

// before is what stands before a passage, from the beginning of a sentence on. It
// begins with an ellipsis where that is too far away.
func before(previous, r commonplace.Ranking) string {
	text, end := joined(previous, r)
	from := 0
	for s := range segment.Sentences(text) {
		if s.Begin >= end {
			break
		}
		if from == 0 || countWords(text[s.Begin:end]) >= leastContext {
			from = s.Begin
		}
	}
	if words := lastWords(text[:end], mostContext); len(words) < end-from {
		return "… " + strings.TrimSpace(words)
	}
	return strings.TrimSpace(text[from:end])
}

// after is what stands behind a passage, to the end of a sentence.
func after(r, next commonplace.Ranking) string {
	text, end := joined(r, next)
	begin, to := len(text)-len(next.Text), len(text)
	for s := range segment.Sentences(text) {
		if s.End > end && countWords(text[min(begin, s.End):s.End]) >= leastContext {
			to = s.End
			break
		}
	}
	if words := firstWords(text[begin:], mostContext); len(words) < to-begin {
		return strings.TrimSpace(words) + " …"
	}
	return strings.TrimSpace(text[begin:to])
}

// whole is the first part of a text, in bytes, that is whole sentences of about n
// code points: all of one sentence, and more while there is room.
func whole(text string, n int) (begin, end int) {
	for s := range segment.Sentences(text) {
		switch {
		case end == 0 && s.Begin == 0 && !startsSentence(text) && s.End < len(text):
			// the end of a sentence that began before
		case end == 0:
			begin, end = s.Begin, s.End
		case s.End-begin <= n:
			end = s.End
		default:
			return begin, end
		}
	}
	if end == 0 {
		end = len(text)
	}
	return begin, end
}

// startsSentence says that a text does not begin in the middle of a sentence, as far
// as its first letter tells.
func startsSentence(text string) bool {
	for _, r := range text {
		if unicode.IsLetter(r) {
			return !unicode.IsLower(r)
		}
	}
	return true
}
