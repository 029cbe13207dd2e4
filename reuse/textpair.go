package reuse

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/pairs"
)

// contextBytes is TextPAIR's context_size.
const contextBytes = 300

// Side is one side of a match as TextPAIR has it, without its prefix source_ or target_.
type Side map[string]any

// NewSide is the side of a document whose bytes [begin, end) are matched. file is where
// its text lies.
func NewSide(d *commonplace.Document, file string, begin, end int) Side {
	s := Side{}
	for name, value := range TextPAIRFields(d, file) {
		s[name] = value
	}
	s["doc_id"] = d.ID
	s["start_byte"], s["end_byte"] = begin, end
	s["context_before"] = contextBefore(d.Text, begin)
	s["passage"] = flat(d.Text[begin:end])
	s["context_after"] = contextAfter(d.Text, end)
	s["start_position"], s["end_position"] = percent(begin, len(d.Text)), percent(end, len(d.Text))
	return s
}

// TextPAIRFields are what TextPAIR's metadata.json has of a document: strings alone. TextPAIR's
// loader makes a column of a table of each name, so different values of one column are joined.
// Its page shows title, author and year; a document without them has them empty.
func TextPAIRFields(d *commonplace.Document, file string) map[string]string {
	fields := map[string]string{"title": "", "author": "", "year": ""}
	values := map[string][]string{}
	for _, f := range Fields(d) {
		name, list := column(f.Name), commonplace.Listed(f.Value)
		if list == nil {
			list = []string{f.Value}
		}
		for _, value := range list {
			if value = flat(value); value != "" && !slices.Contains(values[name], value) {
				values[name] = append(values[name], value)
			}
		}
		fields[name] = strings.Join(values[name], "; ")
	}
	if year, known := pairs.Year(d.Date); known && fields["year"] == "" {
		fields["year"] = strconv.Itoa(year)
	}
	fields["filename"] = file
	fields["start_byte"], fields["end_byte"] = "0", strconv.Itoa(len(d.Text))
	return fields
}

// longestColumn is how long a name of PostgreSQL can be, less TextPAIR's prefix.
const longestColumn = 63 - len("source_")

// column is a field's name as PostgreSQL takes it without quotation marks: letters, digits
// and low lines. Large letters are small ones to it, so two names cannot differ by them.
func column(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= utf8.RuneSelf || '0' <= r && r <= '9' || 'a' <= r && r <= 'z':
			return r
		}
		return '_'
	}, strings.ToLower(name))
	for len(name) > longestColumn {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return name
}

// TextPAIR is a line of TextPAIR's alignments.jsonl. Its members are sorted, as there.
func TextPAIR(source, target Side) []byte {
	all := make(map[string]any, len(source)+len(target))
	for name, value := range source {
		all["source_"+name] = value
	}
	for name, value := range target {
		all["target_"+name] = value
	}
	b, err := json.Marshal(all)
	if err != nil {
		panic(err) // strings and numbers
	}
	return append(b, '\n')
}

// percent is how far in a text a byte is.
func percent(at, length int) string {
	if length == 0 {
		return "0.00"
	}
	return fmt.Sprintf("%.2f", 100*float64(at)/float64(length))
}

// contextBefore begins with a whole word.
func contextBefore(text string, end int) string {
	begin := max(0, end-contextBytes)
	for begin < end && !utf8.RuneStart(text[begin]) {
		begin++
	}
	s := flat(text[begin:end])
	if begin > 0 {
		_, s, _ = strings.Cut(s, " ")
	}
	return s
}

// contextAfter ends with a whole word.
func contextAfter(text string, begin int) string {
	end := min(len(text), begin+contextBytes)
	for end > begin && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	s := flat(text[begin:end])
	if end < len(text) {
		s = s[:max(0, strings.LastIndexByte(s, ' '))]
	}
	return s
}

// flat has a space for each run of white space, as TextPAIR's passages do.
func flat(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	if space {
		b.WriteByte(' ')
	}
	return b.String()
}
