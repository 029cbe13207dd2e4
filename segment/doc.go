// Package segment cuts texts into passages: words, paragraphs, sentences, lines,
// verses, chunks.
//
//	passages, err := segment.Text("alice", text, "sentences")
//
// Each row is a [commonplace.Passage]: its text, its code points in the document, its number
// of words, and its place in the document's chapters, scenes and speeches, which are
// found in the text. [Names] lists the ways to cut.
//
// # Without rows
//
// Every way to cut is a function, such as [BySentences] or [ByWords], that yields [Piece]s
// in order: byte offsets, nothing copied. [Sentences] also says which ones are headings.
// [Parse] reads a name of [Names] into a [Segmenter], and [Passages] yields its rows one by one.
//
// # Promises
//
// One test suite holds these for every segmenter:
//
//   - Pieces are in order and do not overlap. Chunks alone may.
//   - The gaps between pieces hold only what the segmenter leaves out by name: white
//     space, verse numbers.
//   - text[begin:end] is the passage, in code points, for any input, valid UTF-8 or not.
//
// A word is a run between white space, as in Python's str.split().
package segment
