package ingest

import (
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/language"
	"github.com/commonplace/commonplace/pipelines/config"
)

// How a document's language is known. A name that is no known language adds unknownName.
const (
	fromSource  = "source"
	fromConfig  = "config"
	fromText    = "identified"
	unknownName = ", unknown name"
)

// setLanguage gives a document the code of its language, and how it is known: from the
// source, from the config, or from the text. No other function sets the column.
func setLanguage(doc *commonplace.Document, s config.Source) {
	said, reason := strings.TrimSpace(doc.Language), fromSource
	if said == "" {
		said, reason = s.Language, fromConfig
	}
	code, known := language.Code(said)
	switch {
	case !known:
		reason += unknownName
	case code == "":
		if code, reason = language.Identify(doc.Text), fromText; code == "" {
			reason = ""
		}
	}
	doc.Language, doc.LanguageReason = code, reason
}
