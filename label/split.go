package label

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/commonplace/commonplace"
)

// What a split keeps together.
const (
	ByQuote    = "quote"    // what says the same is in one split: all examples of a [Grouping]'s group
	ByExample  = "example"  // each example alone, as RA-MTR does; a quote can be in two splits
	ByDocument = "document" // all examples of a work are in one split, as RELiC does with primary sources
)

// Names of the splits.
const (
	Train      = "train"
	Validation = "validation"
	Test       = "test"
)

// Split assigns groups of examples to train, validation and test.
//
// Where a group goes depends on the seed and the group's name alone: the first
// eight bytes of SHA-256(seed in decimal, a NUL, name), big-endian, divided by
// 2^64, fall into one of three intervals as long as the shares. So adding a
// book or a quote moves no other example. In Python:
//
//	int.from_bytes(sha256(f"{seed}\0{group}".encode()).digest()[:8], "big") / 2**64
type Split struct {
	Train, Validation, Test float64 // shares, sum 1; without any they are 0.8, 0.1, 0.1
	By                      string  // quote, example or document
	Seed                    int64
	Given                   *Given // splits that somebody else chose; nil: none
}

// defaultSplit has the paper's shares.
func defaultSplit(by string) Split {
	return Split{Train: 0.8, Validation: 0.1, Test: 0.1, By: by}
}

// Validate says in one sentence what cannot be meant, or nothing.
func (s Split) Validate() error {
	sum := 0.0
	for _, share := range []float64{s.Train, s.Validation, s.Test} {
		if math.IsNaN(share) || share < 0 || share > 1 {
			return fmt.Errorf("split has a share of %v: give shares from 0 to 1, such as 0.8, 0.1, 0.1", share)
		}
		sum += share
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("split shares add up to %v: make train, validation and test add up to 1", sum)
	}
	switch s.By {
	case ByQuote, ByExample, ByDocument:
		return nil
	}
	return fmt.Errorf("split by %q is not known: use %s, %s or %s", s.By, ByQuote, ByExample, ByDocument)
}

// Of is the split of a group, or that which was given to one of the ids.
func (s Split) Of(group string, ids ...string) string {
	if given := s.Given.split(ids...); given != "" {
		return given
	}
	if s.Train == 0 && s.Validation == 0 && s.Test == 0 {
		d := defaultSplit(s.By)
		s.Train, s.Validation, s.Test = d.Train, d.Validation, d.Test
	}
	at := fraction(s.Seed, group)
	switch {
	case at < s.Train:
		return Train
	case at < s.Train+s.Validation:
		return Validation
	case s.Test > 0:
		return Test
	case s.Validation > 0: // the shares' sum fell short of 1 by rounding
		return Validation
	}
	return Train
}

// fraction is a number in [0,1) that depends on the seed and the name alone.
func fraction(seed int64, name string) float64 {
	var buf [128]byte
	b := strconv.AppendInt(buf[:0], seed, 10)
	b = append(b, 0)
	b = append(b, name...)
	sum := sha256.Sum256(b)
	// 53 bits are what a float64 holds; rounding up to 1 is thus impossible.
	return float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
}

// group names what the example of an alignment must stay together with.
//
// By quote, examples between documents stay with their source's work unless
// they overlap what a listed quote was found in: two texts that quote the same
// line differ in where they cut it, so nothing smaller is as sure to stay.
func (o Options) group(a commonplace.Alignment) string {
	g := o.Groups[a.ID]
	switch {
	case o.Split.By == ByExample:
		return a.ID
	case o.Split.By == ByDocument:
		return cmp.Or(g.Work, a.SourceID)
	}
	return cmp.Or(g.Group, a.QuoteID, a.SourceID)
}

// Normalise folds what editions of a quote differ in: letters in lower case and
// digits stay, everything else becomes one space between words.
func Normalise(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	gap := false
	for _, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(unicode.ToLower(r))
		case r == '\'' || r == '’': // don't, o'er: one word in every edition
		default:
			gap = true
		}
	}
	return b.String()
}
