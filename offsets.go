package commonplace

import "unicode/utf8"

// Span is a range of code points, end exclusive.
type Span struct{ Begin, End int }

// Len is the number of code points in the span.
func (s Span) Len() int { return s.End - s.Begin }

// Overlap is the number of code points that both spans hold.
func (s Span) Overlap(t Span) int {
	return max(0, min(s.End, t.End)-max(s.Begin, t.Begin))
}

// Slice is text[begin:end] counted in code points, as Python does it.
// It panics where the span does not lie in the text.
func Slice(text string, s Span) string {
	o := NewOffsets(text)
	return text[o.Byte(s.Begin):o.Byte(s.End)]
}

// step is the number of code points between two remembered bytes of [Offsets].
const step = 128

// Offsets goes from code points to bytes and back in one text. ASCII texts need
// no memory; others one number for every 128 code points.
type Offsets struct {
	text  string
	n     int   // code points
	marks []int // byte of code point i*step; nil for ASCII
}

// NewOffsets reads the text once.
func NewOffsets(text string) *Offsets {
	o := &Offsets{text: text, n: utf8.RuneCountInString(text)}
	if o.n == len(text) {
		return o
	}
	o.marks = make([]int, 0, o.n/step+1)
	i := 0
	for b := range text {
		if i%step == 0 {
			o.marks = append(o.marks, b)
		}
		i++
	}
	return o
}

// Len is the text's length in code points.
func (o *Offsets) Len() int { return o.n }

// Byte is the byte at which code point i begins; Byte(Len()) is the text's length in bytes.
func (o *Offsets) Byte(i int) int {
	if o.marks == nil {
		if i < 0 || i > o.n {
			panic("commonplace: code point outside the text")
		}
		return i
	}
	if i == o.n {
		return len(o.text)
	}
	b := o.marks[i/step]
	for k := i % step; k > 0; k-- {
		_, size := utf8.DecodeRuneInString(o.text[b:])
		b += size
	}
	return b
}

// Point is the code point that begins at byte b.
func (o *Offsets) Point(b int) int {
	if o.marks == nil {
		return b
	}
	if b == len(o.text) {
		return o.n
	}
	lo, hi := 0, len(o.marks)
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if o.marks[mid] <= b {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo*step + utf8.RuneCountInString(o.text[o.marks[lo]:b])
}

// Slice is text[begin:end] in code points.
func (o *Offsets) Slice(s Span) string { return o.text[o.Byte(s.Begin):o.Byte(s.End)] }
