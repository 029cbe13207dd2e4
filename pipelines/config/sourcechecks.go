package config

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/commonplace/commonplace/crawl/files"
)

// What makes sense of a source hangs on its kind, and on whether it is fetched.

// sourceChecks refuse settings that make no sense, by the kind of a source that is
// read from files; key is sources[i] and a full stop.
var sourceChecks = map[string]func(c *Config, key string, s Source) error{
	KindFiles:      checkFiles,
	KindGutenberg:  checkGutenberg,
	KindHathiTrust: checkHathiTrust,
	KindQuotus:     checkFiles,
	KindWARC:       func(*Config, string, Source) error { return nil },
	KindPassages:   checkPassages,
}

// fetchChecks do the same by the kind of a source that is fetched.
var fetchChecks = map[string]func(c *Config, key string, s Source) error{
	KindArticles:   checkArticles,
	KindGutenberg:  checkGutenbergFetch,
	KindHathiTrust: checkHathiTrustFetch,
}

// checkOf is what checks a source of its kind.
func checkOf(s Source) func(c *Config, key string, s Source) error {
	if check := fetchChecks[s.Kind]; check != nil && s.Fetched() {
		return check
	}
	return sourceChecks[s.Kind]
}

func checkFiles(c *Config, key string, s Source) error {
	for ours := range s.Columns {
		if err := c.oneOf(key+"columns", ours, files.MetadataFields); err != nil {
			return err
		}
	}
	return nil
}

func checkGutenberg(c *Config, key string, s Source) error {
	g := s.Gutenberg
	if g.Catalog == "" && (len(g.Languages) > 0 || len(g.Authors) > 0 || len(g.Subjects) > 0 || g.From != "" || g.To != "") {
		return c.Refuse(key+"gutenberg.catalog", "nothing", "the pg_catalog.csv by which languages, authors, subjects and dates are known")
	}
	return checkDays(c, key, s)
}

var dayForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// checkDays holds the release dates of a selection to their form.
func checkDays(c *Config, key string, s Source) error {
	g := s.Gutenberg
	key += "gutenberg."
	for _, day := range []struct{ key, value string }{{"from", g.From}, {"to", g.To}} {
		if day.value != "" && !dayForm.MatchString(day.value) {
			return c.Refuse(key+day.key, day.value, "a day, such as 2004-12-31")
		}
	}
	return nil
}

func checkHathiTrust(c *Config, key string, s Source) error {
	h := s.HathiTrust
	key += "hathitrust."
	switch {
	case len(h.Hathifiles) == 0 && (len(h.Languages) > 0 || len(h.WithoutWords) > 0):
		return c.Refuse(key+"hathifiles", "nothing", "the hathifiles by which languages and titles are known")
	case h.Matches == "" && (h.LeastMatches != 0 || h.MostMatches != 0):
		return c.Refuse(key+"matches", "nothing", "a CSV file with the columns htid and matches")
	case h.LeastMatches < 0:
		return c.Refuse(key+"min_matches", h.LeastMatches, "0 or more")
	case h.MostMatches < 0 || h.MostMatches > 0 && h.MostMatches < h.LeastMatches:
		return c.Refuse(key+"max_matches", h.MostMatches, "0 (no limit) or at least min_matches")
	case h.MaxPages < 1:
		return c.Refuse(key+"max_pages", h.MaxPages, "1 or more")
	}
	return nil
}

func checkPassages(c *Config, key string, s Source) error {
	for ours := range s.Columns {
		if err := c.oneOf(key+"columns", ours, []string{"document", "chapter", "verse", "text"}); err != nil {
			return err
		}
	}
	return nil
}

func checkArticles(c *Config, key string, s Source) error {
	switch {
	case len(s.Files) == 0:
		return c.Refuse(key+"files", "nothing", "at least one list of addresses: a line each, JSONL with id, url, title and date, or the quotes file of Quotus (.json)")
	case s.Fetch.Archive != "" && (!isAddress(s.Fetch.Archive) || !strings.Contains(s.Fetch.Archive, "{url}")):
		return c.Refuse(key+"fetch.archive", s.Fetch.Archive, "an address with {url} in it, such as https://web.archive.org/web/{time}id_/{url}")
	}
	return nil
}

func checkGutenbergFetch(c *Config, key string, s Source) error {
	for i, m := range s.Fetch.Mirrors {
		if !isAddress(m) {
			return c.Refuse(fmt.Sprintf("%sfetch.mirrors[%d]", key, i), m, "the root of a mirror, such as https://gutenberg.pglaf.org/")
		}
	}
	switch {
	case len(s.Fetch.Mirrors) == 0:
		return c.Refuse(key+"fetch.mirrors", "nothing", "at least one mirror")
	case len(s.Files) > 0:
		return c.Refuse(key+"files", strings.Join(s.Files, ", "), "left out where fetch.mirrors stand; make two sources of a local mirror and of others")
	case s.Fetch.Catalog != "" && !isAddress(s.Fetch.Catalog):
		return c.Refuse(key+"fetch.catalog", s.Fetch.Catalog, "an address; a file is named by gutenberg.catalog")
	}
	return checkDays(c, key, s)
}

func checkHathiTrustFetch(c *Config, key string, s Source) error {
	f := s.Fetch
	switch {
	case !isAddress(f.Endpoint):
		return c.Refuse(key+"fetch.endpoint", f.Endpoint, "the root of a page endpoint, such as https://babel.hathitrust.org/cgi/htd")
	case len(s.Files) == 0:
		return c.Refuse(key+"files", "nothing", "at least one list of volume ids, one a line")
	case (f.Key == "") != (f.Secret == ""):
		return c.Refuse(key+"fetch.secret", f.Secret, "set where fetch.key is: they are the names of two environment variables")
	}
	return checkHathiTrust(c, key, s)
}
