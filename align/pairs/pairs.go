// Package pairs decides which documents may quote which: not two of one series, only
// the older by the newer, only within so many days.
package pairs

import "github.com/commonplace/commonplace"

// Rules are what must hold of a source and a document that quotes it. The zero value
// allows every pair. A document never quotes itself; that is no rule.
type Rules struct {
	Differ []string `yaml:"differ" json:"differ,omitempty" doc:"fields in which the two documents must differ, such as series or author: columns of documents or names in its metadata. Of a field with several values, such as the authors of a TEI header, none may be in both documents. A document without a value differs from all"`
	Order  string   `yaml:"order" json:"order,omitempty" doc:"older: leave out matches whose source is newer, by the dates, than the document that quotes it; c. 1850 counts as 1850. Empty: keep them"`
	Days   int      `yaml:"days" json:"days,omitempty" doc:"most days between the dates of the two documents; 0: any number"`
}

// Older is the order in which only the newer document quotes.
const Older = "older"

// IsZero says that every pair is allowed.
func (r Rules) IsZero() bool { return len(r.Differ) == 0 && r.Order == "" && r.Days == 0 }

// Allow says whether derived may quote source. A date that is not known, or that is
// too coarse to tell, forbids nothing.
func (r Rules) Allow(source, derived *commonplace.Document) bool {
	for _, name := range r.Differ {
		if source.Agree(derived, name) {
			return false
		}
	}
	if r.Order == "" && r.Days == 0 {
		return true
	}
	a, b := daysOf(source.Date), daysOf(derived.Date)
	if !a.known || !b.known {
		return true
	}
	if r.Order == Older && a.first > b.last {
		return false
	}
	return r.Days == 0 || max(a.first-b.last, b.first-a.last) <= r.Days
}

// SourceIs says which of two documents came first by their dates: the source is older,
// or newer, or, empty, the dates do not say.
func SourceIs(source, derived *commonplace.Document) string {
	a, b := daysOf(source.Date), daysOf(derived.Date)
	switch {
	case !a.known || !b.known:
		return ""
	case a.last < b.first:
		return "older"
	case a.first > b.last:
		return "newer"
	}
	return ""
}
