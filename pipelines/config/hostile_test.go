package config

import (
	"errors"
	"strings"
	"testing"
)

// An address with a password may stand where something else is expected, or an unknown key:
// no message shows it.
func TestMisplacedPasswordsAreNotShown(t *testing.T) {
	for _, raw := range []string{
		"out: o\nsources: https://me:canary@a.org/\n",
		"out: o\nsources: [{name: a, kind: gutenberg, fetch: {mirrors: 'https://me:canary@a.org/'}}]\n",
		"out: o\nsources: [{name: a, kind: gutenberg, fetch: ['https://b.org/', 'https://me:canary@a.org/', 'https://you:canary2@a.org/']}]\n",
		"out: o\nshards: https://me:canary@a.org/\n",
		"out: o\ncrawl: {delay: 'https://me:canary@a.org/'}\n",
		"out: o\n'https://me:canary@a.org/': 1\n",
		"out: o\nhttps://me:canary@a.org/: 1\nhttps://me:canary@a.org/: 1\n",
		"out: o\nlimits: {line: 'https://me:canary@a.org/'}\n",
		"out: o\nsources: [{name: a, files: [x], where: {date: 'https://me:canary@a.org/'}}]\n",
		"out: o\nsources: [{name: a, files: [x], columns: 'https://me:canary@a.org/'}]\n",
		"out: https://me:canary@a.org/\nsources: [{name: a, files: [x]}]\nshards: 0.5\n",
		"out: o\nalign: {min_words: !!int 'https://me:canary@a.org/'}\n",
		"out: o\nlabel: {paraphrase: {endpoint: [ 'https://me:canary@a.org/' ]}}\n",
		"out: o\nsources: \"https://me:canary@a.org/\n",
		"out: o\nsources: {\"https://me:canary@a.org/\n",
	} {
		if _, err := loaded(t, raw); !errors.Is(err, ErrInvalid) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

// A price that is no number would switch the cap of costs off.
func TestCostsAreNumbers(t *testing.T) {
	for _, key := range []string{"temperature", "per_minute", "prompt_price", "answer_price", "max_cost"} {
		raw := smallest + "label: {datasets: [triples], paraphrase: {url: 'http://localhost/v1', model: m, prompt_price: 1, answer_price: 1, max_cost: 1, " + key + ": .nan}}\n"
		if key != "temperature" && key != "per_minute" {
			raw = strings.Replace(raw, key+": 1, ", "", 1)
		}
		if _, err := loaded(t, raw); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "label.paraphrase is") {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// Keys may have any characters.
func TestOddKeys(t *testing.T) {
	for _, key := range []string{"out.y", "shards[0]", "sources.a", "limits.x.y", "out.", ".", "[", "'a.b'", "limits[0].x", "$", "$.out.x", "crawl.delays.x.y", "align.use.a"} {
		for _, raw := range []string{"out: o\n\"" + key + "\": 1\n", "out: o\nlimits: {\"" + key + "\": 1}\n", "out: o\nsources: [{\"" + key + "\": 1}]\n", "out: o\ncrawl: {delays: {\"" + key + "\": x}}\n"} {
			if _, err := loaded(t, raw); !errors.Is(err, ErrInvalid) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: %v", raw, err)
			}
		}
	}
}

// A config has at most 64 MiB, as docs/limits.md says.
func TestLongConfigs(t *testing.T) {
	if _, err := loaded(t, "out: o\n#"+strings.Repeat("a", 64<<20)); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "limits.settings") {
		t.Errorf("%.300v", err)
	}
}
