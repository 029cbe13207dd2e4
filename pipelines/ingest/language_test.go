package ingest

import (
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
)

const german = "Der Müller hatte dem Fluss niemals getraut, und der Fluss hatte, soweit man es sagen konnte, den Müller niemals bemerkt. In jedem Frühling stieg er und nahm einen Zaun oder zwei mit."

func TestSetLanguage(t *testing.T) {
	for _, c := range []struct{ source, config, text, want, reason string }{
		{"English", "de", german, "en", "source"},
		{"Englisch", "", german, "en", "source"},
		{"en_gb", "", "", "en-GB", "source"},
		{"", "German", "", "de", "config"},
		{"", "deu", "", "de", "config"},
		{" ", "DEUTSCH", "", "de", "config"},
		{"", "", german, "de", "identified"},
		{"", "", "Kurz.", "", ""},
		{"Gibberish", "de", german, "Gibberish", "source, unknown name"},
		{"", "Gibberish", german, "Gibberish", "config, unknown name"},
	} {
		doc := commonplace.Document{Language: c.source, Text: c.text}
		setLanguage(&doc, config.Source{Language: c.config})
		if doc.Language != c.want || doc.LanguageReason != c.reason {
			t.Errorf("%q, config %q: %q (%s), want %q (%s)", c.source, c.config, doc.Language, doc.LanguageReason, c.want, c.reason)
		}
	}
}

// A row of yesterday says its language as a new one does.
func TestLanguageOfKeptRows(t *testing.T) {
	for _, c := range []struct{ was, reason, said, config, want, now string }{
		{"fr", "source", "German", "", "de", "source"},
		{"fr", "source", "", "German", "fr", "source"},
		{"fr", "config", "", "German", "de", "config"},
		{"fr", "config", "", "", "de", "identified"},
		{"de", "identified", "", "Englisch", "en", "config"},
	} {
		was := commonplace.Document{Language: c.was, LanguageReason: c.reason, Text: german}
		got := describedNow(was, config.Source{Language: c.config}, item{Said: files.Metadata{"language": c.said}})
		if got.Language != c.want || got.LanguageReason != c.now {
			t.Errorf("was %q (%s), said %q, config %q: %q (%s), want %q (%s)", c.was, c.reason, c.said, c.config, got.Language, got.LanguageReason, c.want, c.now)
		}
	}
}
