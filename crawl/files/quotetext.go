package files

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/charset"
)

// readText reads a text of quotations, as people keep one: a line each, or a
// paragraph each where lines are wrapped. A line that begins with a dash names the
// author of the quotation before it, and after a comma the work; so does a dash behind a
// quotation, on its line.
//
// Of Markdown the block quotes are taken; without any the items of lists; without
// any the paragraphs. Headings, rules and code are not quotations.
func (l *quoteList) readText(ctx context.Context, markdown bool) {
	limits := l.opts.Limits.WithDefaults()
	raw, reason, err := readAll(ctx, File{Path: l.path}, Options{MaxBytes: min(limits.Memory/3, limits.Bytes), Limits: l.opts.Limits})
	var text string
	if err == nil {
		// A line of one letter costs more than its letter.
		reason, err = ReasonLimit, l.budget.Hold(int64(len(raw))*3+int64(bytes.Count(raw, []byte{'\n'}))*costOfLine)
	}
	if err == nil {
		reason = ReasonUnreadable // of the list as a whole: nothing may be taken of it
		var encoding string
		if text, encoding, err = textOf(raw); err == nil && encoding != "utf-8" {
			l.opts.layout("read as %s", encoding)
		}
	}
	if reason == ReasonLimit && err != nil {
		reason, err = ReasonFileLimit, fmt.Errorf("reading this list takes more than limits.memory, %d bytes; a config can raise it, or write the list as JSON lines", limits.Memory)
	}
	if err != nil {
		l.reject(0, "", reason, err.Error())
		return
	}
	var entries []entryOfText
	if markdown {
		entries = l.markdown(textLines(withoutComments(text)))
	} else {
		entries = l.plainText(textLines(text))
	}
	for _, e := range entries {
		if ctx.Err() != nil {
			return
		}
		if e.by == "" {
			e.text, e.by = withoutName(e.text)
		}
		q := commonplace.Quote{ID: l.madeID(e.line), Text: e.text}
		q.Author, q.Work = attribution(e.by)
		if int64(len(e.text)) > limits.Quote {
			if !l.reject(e.line, q.ID, ReasonLimit, "the quotation is longer than limits.quote") {
				return
			}
			continue
		}
		if !l.take(e.line, q) {
			return
		}
	}
}

// costOfLine is about what a line costs beside its bytes: its place in the lines and an
// entry.
const costOfLine = 96

// textOf decodes a file that must be a text.
func textOf(raw []byte) (text, encoding string, err error) {
	if what := otherFormat(raw); what != "" {
		return "", "", fmt.Errorf("the file begins as %s does, and is no text", what)
	}
	decoded, err := charset.Decode(raw, "")
	if n := controls(decoded.Text); err == nil && n > 0 && n*20 > len(decoded.Text) {
		err = fmt.Errorf("the file is no text: %d of %d bytes are control characters", n, len(decoded.Text))
	}
	return decoded.Text, decoded.Encoding, err
}

// entryOfText is one quotation of a text: the line on which it begins, its words,
// and the line that says whose they are.
type entryOfText struct {
	line     int
	text, by string
}

func textLines(text string) []string {
	text = strings.TrimPrefix(text, "\ufeff")
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	for i, s := range lines {
		lines[i] = strings.TrimSpace(s)
	}
	return lines
}

// plainText makes quotations of the lines of a text.
func (l *quoteList) plainText(lines []string) []entryOfText {
	if wrapped(lines) {
		l.opts.layout("one quotation a paragraph")
		return paragraphs(lines)
	}
	l.opts.layout("one quotation a line")
	var entries []entryOfText
	for i, line := range lines {
		switch by := attributed(lines, i); {
		case line == "":
		case takes(entries, by):
			entries[len(entries)-1].by = by
		default:
			entries = append(entries, entryOfText{i + 1, withoutMark(line), ""})
		}
	}
	return entries
}

// takes says that the last entry has no author yet and that by is one.
func takes(entries []entryOfText, by string) bool {
	return by != "" && len(entries) > 0 && entries[len(entries)-1].by == ""
}

// wrapped says that a quotation goes on over lines: blank lines stand between
// paragraphs, and most line breaks within them do not follow the end of a sentence.
func wrapped(lines []string) bool {
	breaks, ends, blank := 0, 0, false
	for i := 1; i < len(lines); i++ {
		before, line := lines[i-1], lines[i]
		switch {
		case before == "" || line == "":
			blank = blank || before == "" && line != "" && i > 1
		case attributed(lines, i) == "":
			breaks++
			if endOfSentence.MatchString(before) || listItem.MatchString(line) {
				ends++
			}
		}
	}
	return blank && breaks > 0 && 2*ends < breaks
}

var endOfSentence = regexp.MustCompile(`[.!?…]["'”’»)\]*_]*$`)

// paragraphs are the runs of lines between blank ones; a bullet or a number begins another.
func paragraphs(lines []string) []entryOfText {
	var entries []entryOfText
	open := false
	for i, line := range lines {
		switch by := attributed(lines, i); {
		case line == "":
			open = false
		case takes(entries, by): // also after a blank line
			entries[len(entries)-1].by = by
		case open && !listItem.MatchString(line):
			entries[len(entries)-1].text += "\n" + line
		default:
			entries = append(entries, entryOfText{i + 1, withoutMark(line), ""})
			open = true
		}
	}
	return entries
}

// withoutComments is a Markdown page without its front matter (between two lines of ---
// or +++ at its head) and its comments. Line breaks stay, so that lines keep their numbers.
func withoutComments(text string) string {
	blank := func(s string) string { return notBreak.ReplaceAllString(s, "") }
	return htmlComment.ReplaceAllStringFunc(frontMatter.ReplaceAllStringFunc(text, blank), blank)
}

var (
	frontMatter = regexp.MustCompile(`^\x{feff}?(?s:---[ \t]*\r?\n(?:[ \t]*\r?\n|#[^\n]*\n)*(?:[\pL_][\pL\pN_ -]*:[ \t\r\n].*?\n)??(?:---|\.\.\.)|\+\+\+[ \t]*\r?\n(?:.*?\n)??\+\+\+)[ \t]*(?:\r?\n|$)`)
	htmlComment = regexp.MustCompile(`(?s)<!--.*?-->|\B%%.*?%%`)
	notBreak    = regexp.MustCompile(`[^\r\n]+`)
)

// markdown makes quotations of the lines of a Markdown page.
func (l *quoteList) markdown(lines []string) []entryOfText {
	var quoted, items, rest []string // the same lines, each with the others left blank
	code := false
	item := false
	for _, line := range lines {
		var q, it, r string
		fence := strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
		switch {
		case fence:
			code = !code
		case code, strings.HasPrefix(line, "#"), rule.MatchString(line):
		case strings.HasPrefix(line, ">"):
			q = strings.TrimSpace(strings.TrimLeft(line, "> "))
		case listItem.MatchString(line):
			it = line
		case item && line != "":
			it = line // an item goes on
		default:
			r = line
		}
		item = it != ""
		quoted, items, rest = append(quoted, q), append(items, it), append(rest, r)
	}
	if entries := paragraphs(quoted); len(entries) > 0 {
		l.opts.layout("one quotation a block quote")
		return entries
	}
	if entries := itemsOf(items); len(entries) > 0 {
		l.opts.layout("one quotation an item of a list")
		return entries
	}
	l.opts.layout("one quotation a paragraph")
	return paragraphs(rest)
}

// itemsOf are the items of lists, each with the lines on which it goes on.
func itemsOf(lines []string) []entryOfText {
	var entries []entryOfText
	for i, line := range lines {
		switch by := attributed(lines, i); {
		case line == "":
		case listItem.MatchString(line) || len(entries) == 0:
			entries = append(entries, entryOfText{i + 1, withoutMark(line), ""})
		case takes(entries, by):
			entries[len(entries)-1].by = by
		default:
			entries[len(entries)-1].text += "\n" + line
		}
	}
	return entries
}

var (
	rule     = regexp.MustCompile(`^(-{3,}|\*{3,}|_{3,}|={3,})$`)
	listItem = regexp.MustCompile(`^([-*+•]|\(?[0-9]{1,4}[.)])\s+\S`)
	mark     = regexp.MustCompile(`^([-*+•]|\(?[0-9]{1,4}[.)])\s+`)
	dashed   = regexp.MustCompile(`^(?:[—–―]|--+|~)\s*([*_(\[]*\p{Lu}.*)$`)
	hyphened = regexp.MustCompile(`^-\s*(` + fullName + `(?:,.*)?)$`)
	trailing = regexp.MustCompile(`(?s)^(.*(?:[.!?…]["'”’»)\]*_]*|["”’»][*_]*))\s*(?:(?:[—–―]|--+)\s*((?:` + nameWord + `|` + fullName + `)(?:,.*)?)|\s-\s+(` + fullName + `(?:,.*)?))$`)
)

// fullName is a name of two or more words.
const fullName = nameWord + `(?:\s+(?:` + nameWord + `|de|da|del|della|di|du|la|le|van|von|der|den|of|the|and|y|e))*\s+` + nameWord

// nameWord is a word of a name: Jean-Paul, O’Brien, J.
const nameWord = `[*_]*\p{Lu}[\p{L}.'’-]*[*_]*`

// withoutMark is a line without the bullet or number before it.
func withoutMark(line string) string { return mark.ReplaceAllString(line, "") }

// attributed is what follows the dash of line i, if it says whose words stand before it:
// a few words that begin with a capital and end no sentence, as what is spoken would.
// After a hyphen, which may be a bullet, it must be a name, and the lines around it no
// items of the same list.
func attributed(lines []string, i int) string {
	line := lines[i]
	m := dashed.FindStringSubmatch(line)
	if m == nil && !hyphenAt(lines, i, -1) && !hyphenAt(lines, i, 1) {
		m = hyphened.FindStringSubmatch(line)
	}
	if m != nil && len(strings.Fields(m[1])) <= 12 && !endOfSentence.MatchString(line) {
		return m[1]
	}
	return ""
}

// withoutName cuts off the name behind a quotation on its own line: “Know thyself.” — Socrates.
// The dash follows the end of a sentence or a closing mark, and nothing but the name, and
// after a comma the work, follows the dash.
func withoutName(text string) (rest, by string) {
	m := trailing.FindStringSubmatch(text)
	if m == nil {
		return text, ""
	}
	if by = m[2] + m[3]; len(strings.Fields(by)) > 12 || endOfSentence.MatchString(by) && !initials.MatchString(by) {
		return text, ""
	}
	return m[1], by
}

// initials end a name, and no sentence: Malcolm X., George W.
var initials = regexp.MustCompile(`\p{Lu}\.[*_]*$`)

// hyphenAt says that the next line before or after line i that is not blank begins with
// a hyphen.
func hyphenAt(lines []string, i, step int) bool {
	for i += step; i >= 0 && i < len(lines); i += step {
		if lines[i] != "" {
			return strings.HasPrefix(lines[i], "-") && !strings.HasPrefix(lines[i], "--")
		}
	}
	return false
}

// attribution is the author and the work of "Jane Austen, Emma".
func attribution(by string) (author, work string) {
	author, work, _ = strings.Cut(by, ",")
	return strings.Trim(author, " *_."), strings.Trim(work, " *_.")
}
