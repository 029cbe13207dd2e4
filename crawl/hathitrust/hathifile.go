package hathitrust

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/records"
)

// Record is one line of a hathifile, as far as documents need it.
type Record struct {
	HTID        string
	Access      string // allow or deny
	Rights      string // pd, ic, und ...
	Description string // volume, as in "v. 2"
	Title       string
	Imprint     string
	Published   string // year; column rights_date_used
	Language    string // three letters, such as eng
	Format      string // BK for books
	Author      string
}

// Size is about what the record takes in memory.
func (r Record) Size() int64 {
	return 256 + int64(len(r.HTID)+len(r.Access)+len(r.Rights)+len(r.Description)+len(r.Title)+len(r.Imprint)+len(r.Published)+len(r.Language)+len(r.Format)+len(r.Author))
}

// The columns of a hathifile, which has no header (hathi_field_list.txt of
// 2026: 26 columns).
const (
	colHTID = iota
	colAccess
	colRights
	_ // ht_bib_key
	colDescription
	_ // source
	_ // source_bib_num
	_ // oclc_num
	_ // isbn
	_ // issn
	_ // lccn
	colTitle
	colImprint
	_ // rights_reason_code
	_ // rights_timestamp
	_ // us_gov_doc_flag
	colPublished
	_ // pub_place
	colLanguage
	colFormat
	_ // collection_code
	_ // content_provider_code
	_ // responsible_entity_code
	_ // digitization_agent_code
	_ // access_profile_code
	colAuthor
	columns
)

// ReadHathifile reads a hathifile: tab-separated lines without quoting. A line
// that cannot be read is a [commonplace.RejectError] with its number. Any other error
// ends the file.
func ReadHathifile(ctx context.Context, r io.Reader, location string, l bounded.Limits) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		l.Line = 1 << 20
		in := records.NewLines(ctx, r, l)
		for {
			line, err := in.Next()
			if err == io.EOF {
				return
			}
			reject := func(id, reason, detail string) bool {
				return yield(Record{}, &commonplace.RejectError{Reject: commonplace.Reject{ID: strings.ToValidUTF8(id, "\uFFFD"), Reason: reason, Detail: detail, Location: fmt.Sprintf("%s:%d", location, in.Number)}})
			}
			switch {
			case errors.Is(err, records.ErrLong):
				if !reject("", "over the limit", fmt.Sprintf("the line is longer than %d bytes", in.Max)) {
					return
				}
				continue
			case err != nil:
				yield(Record{}, fmt.Errorf("the hathifile ends at line %d, before its end: %w", in.Number, err))
				return
			}
			text := strings.ToValidUTF8(string(line), "\uFFFD")
			if in.Number == 1 {
				text = strings.TrimPrefix(text, "\ufeff") // else the first volume would have no record
			}
			if strings.TrimSpace(text) == "" || in.Number == 1 && strings.HasPrefix(text, "htid\t") {
				continue
			}
			f := strings.Split(text, "\t")
			if len(f) < colLanguage+1 || len(f) > columns+8 {
				if !reject(f[0], "broken line", fmt.Sprintf("%d columns where a hathifile has %d", len(f), columns)) {
					return
				}
				continue
			}
			if _, err := PairPath(f[colHTID]); err != nil {
				if !reject(f[0], ReasonBadID, err.Error()) {
					return
				}
				continue
			}
			get := func(i int) string {
				if i >= len(f) {
					return ""
				}
				return strings.Clone(strings.TrimSpace(f[i])) // else one field would keep the line
			}
			if !yield(Record{
				HTID: get(colHTID), Access: get(colAccess), Rights: get(colRights), Description: get(colDescription), Title: get(colTitle),
				Imprint: get(colImprint), Published: get(colPublished), Language: get(colLanguage), Format: get(colFormat), Author: get(colAuthor),
			}, nil) {
				return
			}
		}
	}
}

// Filter says which volumes are taken (RELiC, Appendix A: English volumes whose
// titles lack words such as dictionary, anthology, encyclopedia).
type Filter struct {
	Languages  []string // codes such as eng; empty: any
	TitleWords []string // no volume whose title has one of these words
}

// Refuses says why a volume is not taken; empty when it is.
func (f Filter) Refuses(r Record) string {
	if len(f.Languages) > 0 {
		known := false
		for _, l := range f.Languages {
			known = known || l == r.Language
		}
		if !known {
			return fmt.Sprintf("its language is %q", r.Language)
		}
	}
	words := strings.FieldsFunc(strings.ToLower(r.Title), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsMark(c) })
	for _, w := range words {
		for _, bad := range f.TitleWords {
			if w == strings.ToLower(bad) {
				return fmt.Sprintf("its title has the word %q", w)
			}
		}
	}
	return ""
}
