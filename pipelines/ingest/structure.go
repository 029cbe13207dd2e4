package ingest

import (
	"fmt"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/files"
)

// What later stages keep of a document for each line and each sentence of it, at least:
// paragraphs, headings, verses, speeches, pieces.
const (
	lineBytes     = 256
	sentenceBytes = 128
)

// checkStructure refuses a text of so many lines and sentences that what they are would not
// fit in memory: two bytes can be one.
func checkStructure(doc commonplace.Document, l bounded.Limits) error {
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
	return refusal(doc.ID, files.ReasonLimit, bounded.Over("memory", l.Memory, "%s", fmt.Sprintf("%d lines and %d sentences would keep more than %d bytes in memory", lines, sentences, l.Memory)).Error())
}
