package config

import "github.com/commonplace/commonplace/crawl/hathitrust"

// HathiTrust selects volumes and says how they are read.
type HathiTrust struct {
	Hathifiles   []string `yaml:"hathifiles" json:"-" doc:"hathifiles, also .gz: titles, authors, dates, languages and rights; needed by languages and exclude_title_words. A later file prevails over an earlier one, such as an update over the whole"`
	Languages    []string `yaml:"languages" json:"languages" doc:"codes of three letters such as eng; empty takes all"`
	WithoutWords []string `yaml:"exclude_title_words" json:"without_words" doc:"no volume whose title has one of these words, such as dictionary (RELiC, Appendix A)"`
	Matches      string   `yaml:"matches" json:"-" doc:"CSV with the columns htid and matches, a line for each primary source that a volume matches; also .gz"`
	LeastMatches int64    `yaml:"min_matches" json:"least_matches" doc:"with matches: a volume is read if it has at least this many matches with one primary source"`
	MostMatches  int64    `yaml:"max_matches" json:"most_matches" doc:"with matches: and no more than this; 0 is no limit"`
	Heads        bool     `yaml:"heads" json:"heads" doc:"remove running heads, feet and page numbers from the text; documents.pages keeps them"`
	Hyphens      bool     `yaml:"hyphens" json:"hyphens" doc:"join words that a hyphen divides between lines or pages; documents.hyphens says where"`
	MaxPages     int      `yaml:"max_pages" json:"max_pages" doc:"a volume of more pages is rejected"`
}

// Filter is the reader's own.
func (h HathiTrust) Filter() hathitrust.Filter {
	return hathitrust.Filter{Languages: h.Languages, TitleWords: h.WithoutWords}
}

var hathitrustKind = Kind{
	Name:    "hathitrust",
	Short:   "a HathiTrust research data set",
	Files:   "the root folder, and with fetch.endpoint lists of volume ids, one a line",
	Reads:   "a pairtree of page zips, METS beside them, hathifiles; with `fetch`, volumes page by page",
	Decides: "volumes are selected by language, by words in the title, and by a list that says how often each volume matches a source (RELiC, Appendix A). Extracted Features are refused, because quotations cannot be found in a bag of words",
	Help:    []string{"a HathiTrust data set: pairtree, page zips, METS"},
	Flags: []SourceFlag{
		{Name: "hathifile", Usage: "a hathifile, also .gz", Value: func(s *Source) any { return &s.HathiTrust.Hathifiles }},
		{Name: "language", Usage: "languages of the hathifile", Value: func(s *Source) any { return &s.HathiTrust.Languages }, Words: true},
		{Name: "exclude-title-word", Formerly: "without-word", Usage: "no volume with this word in its title", Value: func(s *Source) any { return &s.HathiTrust.WithoutWords }, Words: true},
		{Name: "matches", Usage: "CSV with the columns htid and matches", Value: func(s *Source) any { return &s.HathiTrust.Matches }},
		{Name: "min-matches", Formerly: "least-matches", Usage: "fewest matches of a volume", Value: func(s *Source) any { return &s.HathiTrust.LeastMatches }},
		{Name: "max-matches", Formerly: "most-matches", Usage: "most matches of a volume (default: no limit)", Value: func(s *Source) any { return &s.HathiTrust.MostMatches }},
	},
	Defaults: func(s *Source) { s.HathiTrust = HathiTrust{Heads: true, Hyphens: true, MaxPages: 20_000} },
	Paths: func(s *Source) []*string {
		paths := []*string{&s.HathiTrust.Matches}
		for i := range s.HathiTrust.Hathifiles {
			paths = append(paths, &s.HathiTrust.Hathifiles[i])
		}
		return paths
	},
	FromFiles:  true,
	Check:      checkHathiTrust,
	CheckFetch: checkHathiTrustFetch,
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
