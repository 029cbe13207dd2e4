package files

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// What others keep of a document for each of its lines and sentences, at least:
// paragraphs, headings, verses, speeches, pieces.
const (
	lineBytes     = 256
	sentenceBytes = 128
)

// CheckStructure refuses a text whose lines and sentences are too many to be kept in memory
// together. Two bytes can be a line.
func CheckStructure(doc commonplace.Document, l bounded.Limits) error {
	l = l.WithDefaults()
	if int64(len(doc.Text))*lineBytes <= l.Memory {
		return nil
	}
	lines, sentences := structure(doc.Text)
	if lines*lineBytes+sentences*sentenceBytes <= l.Memory {
		return nil
	}
	over := bounded.Over("memory", l.Memory, "%d lines and %d sentences would keep more than %d bytes in memory", lines, sentences, l.Memory)
	return &commonplace.RejectError{Reject: commonplace.Reject{ID: doc.ID, Reason: ReasonLimit, Detail: over.Error()}}
}

// structure counts the lines of a text, and where its sentences or clauses may end.
func structure(text string) (lines, sentences int64) {
	for i := 0; i < len(text); i++ {
		next := byte('\n') // behind the text
		if i+1 < len(text) {
			next = text[i+1]
		}
		switch c := text[i]; {
		case c == '\n', c == '\r' && (next != '\n' || i+1 == len(text)):
			lines++
		case c == '!', c == '?':
			sentences++ // also where no space follows
		case c == '.', c == ':', c == ';':
			if next != '\n' && next != '\r' && strings.IndexByte("0123456789.abcdefghijklmnopqrstuvwxyz", next) < 0 {
				sentences++
			}
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(text[i:])
			if unicode.Is(unicode.Sentence_Terminal, r) || strings.ContainsRune("…\u0085\u2024\u2028\u2029", r) {
				sentences++
			}
			i += size - 1
		}
	}
	return lines, sentences
}
