// Package bounded reads what comes from outside, within limits. A file can be
// small and hold very much: packed zeros, a million empty lines, an archive of
// entries that lie over one another. Whatever a parser keeps in memory is
// counted before it is kept, and what is too much is an [Error], which names the
// limit and the key that raises it.
//
//	r, err := bounded.Open(path, limits) // a file, plain or .gz
//	var over *bounded.Error
//	if errors.As(err, &over) { ... }
package bounded

import (
	"fmt"
	"reflect"
)

// Limits of one file from outside. A zero is the default.
type Limits struct {
	Ratio      int64 `yaml:"ratio" json:"ratio,omitzero" doc:"most unpacked bytes for each packed byte; checked beyond 16 MiB of unpacked bytes"`
	Bytes      int64 `yaml:"bytes" json:"bytes,omitzero" doc:"unpacked bytes of one file that is read as a stream, such as a list; sources[].max_bytes limits one document"`
	Line       int64 `yaml:"line" json:"line,omitzero" doc:"bytes of one line of a list, one record of a CSV file, one object of a JSON file"`
	Quote      int64 `yaml:"quote" json:"quote,omitzero" doc:"bytes of one line of a list of quotations"`
	Records    int64 `yaml:"records" json:"records,omitzero" doc:"lines, rows or records of one file"`
	Entries    int64 `yaml:"entries" json:"entries,omitzero" doc:"entries of one zip archive"`
	Depth      int64 `yaml:"depth" json:"depth,omitzero" doc:"levels of nested elements in XML or nested brackets in JSON"`
	Attributes int64 `yaml:"attributes" json:"attributes,omitzero" doc:"attributes of one tag of XML or HTML"`
	Memory     int64 `yaml:"memory" json:"memory,omitzero" doc:"bytes that reading one file may keep: the ids of a list of quotations, the open pages of a Parquet table, the entries of a catalogue"`
	Rejects    int64 `yaml:"rejects" json:"rejects,omitzero" doc:"rows in rejects for each reason and file of many documents; one more row counts the others"`
	Settings   int64 `yaml:"settings" json:"settings,omitzero" doc:"bytes of a config, a model.yaml or a tokenizer.json"`
}

// Defaults are generous and finite.
func Defaults() Limits {
	return Limits{
		Ratio: 200, Bytes: 1 << 40, Line: 64 << 20, Quote: 16 << 20, Records: 50_000_000, Entries: 100_000, Depth: 512, Attributes: 250_000,
		Memory: 1 << 30, Rejects: 1000, Settings: 64 << 20,
	}
}

// Free is how many unpacked bytes any file may have, whatever its ratio.
const Free = 16 << 20

// each pairs every limit with the other's.
func (l *Limits) each(other Limits, do func(own *int64, other int64)) {
	do(&l.Ratio, other.Ratio)
	do(&l.Bytes, other.Bytes)
	do(&l.Line, other.Line)
	do(&l.Quote, other.Quote)
	do(&l.Records, other.Records)
	do(&l.Entries, other.Entries)
	do(&l.Depth, other.Depth)
	do(&l.Attributes, other.Attributes)
	do(&l.Memory, other.Memory)
	do(&l.Rejects, other.Rejects)
	do(&l.Settings, other.Settings)
}

// WithDefaults has the default in the place of every zero.
func (l Limits) WithDefaults() Limits {
	l.each(Defaults(), func(own *int64, other int64) {
		if *own <= 0 {
			*own = other
		}
	})
	return l
}

// Changed has a zero in the place of every default, so that settings in which no
// limit was changed are those of a version without limits.
func (l Limits) Changed() Limits {
	l.each(Defaults(), func(own *int64, other int64) {
		if *own == other {
			*own = 0
		}
	})
	return l
}

// Wrong is the key and the value of a limit below 1; an empty key means that all
// make sense.
func (l Limits) Wrong() (key string, value int64) {
	v := reflect.ValueOf(l)
	for i := range v.NumField() {
		if n := v.Field(i).Int(); n < 1 {
			return v.Type().Field(i).Tag.Get("yaml"), n
		}
	}
	return "", 0
}

// Unpacked is how many bytes a file of so many packed ones may hold: ratio times
// as many, at least 16 MiB, and never more than most.
func (l Limits) Unpacked(packed, most int64) int64 {
	ratio := l.WithDefaults().Ratio
	if packed >= most/ratio {
		return most
	}
	return min(most, max(Free, packed*ratio))
}

// Error says that something from outside is over a limit.
type Error struct {
	Limit string // the key that raises it: limits.ratio
	Value int64  // what it is now
	What  string // what is too much
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s (%s is %d; a config can raise it)", e.What, e.Limit, e.Value)
}

// Over makes an [Error].
func Over(limit string, value int64, format string, args ...any) *Error {
	return &Error{Limit: "limits." + limit, Value: value, What: fmt.Sprintf(format, args...)}
}

// Budget counts what is kept in memory of one file.
type Budget struct {
	Most, held int64
}

// Hold counts so many bytes more.
func (b *Budget) Hold(bytes int64) error {
	if b.held += bytes; b.held > b.Most {
		return Over("memory", b.Most, "reading it would keep more than %d bytes in memory", b.Most)
	}
	return nil
}

// Let counts so many bytes less.
func (b *Budget) Let(bytes int64) { b.held -= bytes }
