package quotus

import (
	"path"
	"regexp"
	"strings"
	"time"
)

var (
	dayInName  = regexp.MustCompile(`(?:^|\D)((?:17|18|19|20)\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?:\D|$)`)
	yearInName = regexp.MustCompile(`(?:^|\D)((?:17|18|19|20)\d\d)(?:\D|$)`)
	dayInText  = regexp.MustCompile(`(?im)^.{0,160}?\b(January|February|March|April|May|June|July|August|September|October|November|December)\s+(\d{1,2}),?\s+((?:17|18|19|20)\d\d)\W*$`)
)

// headLines is how many lines of a transcript may stand above its date.
const headLines = 10

// Date finds the day of a transcript, YYYY-MM-DD: in its file's name, as in
// 2009-01-20-inaugural.txt or 20090120.txt, or else at the end of one of its first
// lines, if that is short, as in "Inaugural Address, January 20, 2009". Where the name has only a year and the lines no day of
// that year, it is the year. Empty means that neither has any.
func Date(name, text string) string {
	name = path.Base(name[strings.LastIndex(name, ":")+1:]) // of an archive's entry
	if m := dayInName.FindStringSubmatch(name); m != nil {
		if day := m[1] + "-" + m[2] + "-" + m[3]; isDay(day) {
			return day
		}
	}
	year := ""
	if m := yearInName.FindStringSubmatch(name); m != nil {
		year = m[1]
	}
	if m := dayInText.FindStringSubmatch(head(text)); m != nil && (year == "" || year == m[3]) {
		if at, err := time.Parse("January 2 2006", m[1]+" "+m[2]+" "+m[3]); err == nil {
			return at.Format(time.DateOnly)
		}
	}
	return year
}

func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// head is the first lines that are not blank, at most a thousand bytes each.
func head(text string) string {
	var lines []string
	for len(lines) < headLines && text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line[:min(len(line), 1000)])
		}
		text = rest
	}
	return strings.Join(lines, "\n")
}
