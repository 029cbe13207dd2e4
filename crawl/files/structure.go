package files

import (
	"strings"

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
	lines, sentences := int64(strings.Count(doc.Text, "\n")), int64(0)
	for _, mark := range []string{". ", "! ", "? ", "。", "！", "？"} {
		sentences += int64(strings.Count(doc.Text, mark))
	}
	if lines*lineBytes+sentences*sentenceBytes <= l.Memory {
		return nil
	}
	over := bounded.Over("memory", l.Memory, "%d lines and %d sentences would keep more than %d bytes in memory", lines, sentences, l.Memory)
	return &commonplace.RejectError{Reject: commonplace.Reject{ID: doc.ID, Reason: ReasonLimit, Detail: over.Error()}}
}
