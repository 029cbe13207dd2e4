// Package segment cuts documents into passages: words, paragraphs, sentences,
// lines, verses, chunks.
//
// A [Segmenter] looks at a text and yields its [Piece]s in order, as byte
// offsets, without copying. [Passages] turns them into rows of the table
// passages, in code points. [Parse] reads the name that configs and flags use:
//
//	cut, err := segment.Parse("words:200")
//	for p := range segment.Passages(doc, cut) { ... }
//
// Every segmenter keeps three promises, which one test suite holds for all:
// pieces are in order and do not overlap (chunks alone may); the gaps between
// them hold nothing but what the segmenter leaves out by name (white space,
// verse numbers); and text[begin:end] is the passage, in code points, for any
// input, valid UTF-8 or not.
//
// A word is what Python's str.split() returns: a run between white space.
package segment
