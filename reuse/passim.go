package reuse

import (
	"github.com/cespare/xxhash/v2"

	"github.com/commonplace/commonplace"
)

// sparkSeed is that of Spark's function xxhash64.
const sparkSeed = 42

// UID is the number that passim gives a document: Spark's xxhash64 of its id.
func UID(id string) int64 {
	d := xxhash.NewWithSeed(sparkSeed)
	d.WriteString(id)
	return int64(d.Sum64())
}

// Extent is a span of a document, in code points.
type Extent struct {
	UID   int64 `json:"uid"`
	Begin int64 `json:"begin"`
	End   int64 `json:"end"`
}

// Passage is a record of passim's out.json: one copy of a passage that several documents
// have.
type Passage struct {
	ID         string
	Cluster    int64 // its number
	Size       int64 // different documents in the cluster
	Begin, End int64
	Source     []Extent // from which it was probably copied, at most one
	Text       string
	Fields     []commonplace.Field // of the document
}

// JSON is the record as a line.
func (p Passage) JSON() []byte {
	var o object
	o.add("uid", UID(p.ID))
	o.add("cluster", p.Cluster)
	o.add("begin", p.Begin)
	o.add("end", p.End)
	o.add("boiler", false) // passim marks links within its option's groups, which we have not
	if p.Source == nil {
		p.Source = []Extent{}
	}
	o.add("src", p.Source)
	o.add("size", p.Size)
	o.add("pboiler", noBoilerplate)
	o.add("id", p.ID)
	o.add("text", p.Text)
	o.fields(located(p.Fields, p.Begin, p.End), "")
	return o.line()
}

// noBoilerplate is written 0.0: Spark infers a type from how a number is written.
var noBoilerplate = number("0.0")

type number string

// MarshalJSON is the number as it is written.
func (n number) MarshalJSON() ([]byte, error) { return []byte(n), nil }

// Pair is a match between two documents, with both texts padded.
type Pair struct {
	SourceID, TargetID         string
	SourceBegin, SourceEnd     int64
	TargetBegin, TargetEnd     int64
	SourceFields, TargetFields []commonplace.Field
	Source, Target             string // the words
}

// place is where something of a pair stands, as records name it.
type place struct {
	name string
	at   int64
}

// record begins a record with the documents of a pair, and places in them.
func (p Pair) record(places ...place) *object {
	var o object
	o.add("uid", UID(p.SourceID))
	o.add("uid2", UID(p.TargetID))
	for _, x := range places {
		o.add(x.name, x.at)
	}
	o.add("id", p.SourceID)
	o.add("id2", p.TargetID)
	return &o
}

// JSON is the record of passim's align.json as a line.
func (p Pair) JSON() []byte {
	s1, s2 := Pad(p.Source, p.Target)
	o := p.record(place{"begin", p.SourceBegin}, place{"end", p.SourceEnd}, place{"begin2", p.TargetBegin}, place{"end2", p.TargetEnd})
	o.add("s1", s1)
	o.add("s2", s2)
	o.add("matches", same(s1, s2))
	o.fields(located(p.SourceFields, p.SourceBegin, p.SourceEnd), "")
	o.fields(located(p.TargetFields, p.TargetBegin, p.TargetEnd), "2")
	return o.line()
}

// Line is a line of the target's text and, above it, what it was copied from.
type Line struct {
	Begin, Begin2 int64 // in the source, in the target
	Alg, Alg2     string
	Text, Text2   string // the same as the documents have it
}

// Lines are those of a pair, from one line break of the target to the next.
func (p Pair) Lines() []Line {
	s1, s2 := Pad(p.Source, p.Target)
	above, below := []rune(s1), []rune(s2)
	source, target := []rune(p.Source), []rune(p.Target) // what is left, as the documents have it
	var lines []Line
	begin, begin2 := p.SourceBegin, p.TargetBegin
	for start, i := 0, 0; i < len(below); i++ {
		if below[i] != '\n' && i+1 < len(below) {
			continue
		}
		l := Line{Begin: begin, Begin2: begin2, Alg: string(above[start : i+1]), Alg2: string(below[start : i+1])}
		n, n2 := letters(l.Alg), letters(l.Alg2)
		l.Text, l.Text2 = string(source[:n]), string(target[:n2])
		source, target = source[n:], target[n2:]
		begin, begin2 = begin+int64(n), begin2+int64(n2)
		lines = append(lines, l)
		start = i + 1
	}
	return lines
}

// LineJSON is the record of passim --linewise as a line.
func (p Pair) LineJSON(l Line) []byte {
	o := p.record(place{"begin", l.Begin}, place{"begin2", l.Begin2})
	o.add("alg", l.Alg)
	o.add("alg2", l.Alg2)
	o.add("matches", same(l.Alg, l.Alg2))
	o.add("text", l.Text)
	o.add("text2", l.Text2)
	o.fields(located(p.SourceFields, l.Begin, l.Begin+int64(len([]rune(l.Text)))), "")
	o.fields(located(p.TargetFields, l.Begin2, l.Begin2+int64(len([]rune(l.Text2)))), "2")
	return o.line()
}
