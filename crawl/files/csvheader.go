package files

import (
	"fmt"
	"regexp"
	"strings"
)

// noColumn says what a user can do about a header in which a field was not found. Where
// the first record reads as a quotation, the table has no header, and none of its words is
// a column's name.
func (o QuoteOptions) noColumn(key string, header []string) string {
	if key == "text" && readsAsRow(header) {
		names := "text"
		if len(header) > 1 {
			names += ",author"
		}
		return fmt.Sprintf("the first line reads as a quotation and not as a header: %s; put a line above it that names the columns, such as %s", shortly(header), names)
	}
	column := "NAME"
	for _, name := range header {
		if oneWord.MatchString(name) {
			column = name
			break
		}
	}
	advice := fmt.Sprintf("say which one is the %s: columns: {%s: %s}", key, key, column)
	if o.NameColumn != nil {
		advice = o.NameColumn(key, column)
	}
	return fmt.Sprintf("the header has no column %s; it has %s; %s", o.column(key), shortly(header), advice)
}

// oneWord is a name that needs no quotes in a command or a config.
var oneWord = regexp.MustCompile(`^[\pL\pN_-]+$`)

// readsAsRow says that a table's first record is no header: one of its fields is a sentence
// or has more words than the name of a column.
func readsAsRow(row []string) bool {
	for _, field := range row {
		if n := len(strings.Fields(field)); n > 4 || n > 1 && endOfSentence.MatchString(strings.TrimSpace(field)) {
			return true
		}
	}
	return false
}

// shortly is a record in so many words as a message has room for.
func shortly(row []string) string {
	const most = 100
	s := []rune(strings.Join(strings.Fields(strings.Join(row, ", ")), " "))
	if len(s) > most {
		return string(s[:most]) + "…"
	}
	return string(s)
}
