package config

import "strings"

// KindArticles is always fetched.
const KindArticles = "articles"

var articlesKind = Kind{
	Name:    KindArticles,
	Short:   "news articles, fetched",
	Files:   "lists of addresses: one a line, JSONL with id, url, title and date, or the quotes file of Quotus",
	Reads:   "news articles, fetched from the addresses in a list",
	Decides: "the article on a page is the text; the list and the page give title and date",
	CheckFetch: func(c *Config, key string, s Source) error {
		switch {
		case len(s.Files) == 0:
			return c.Refuse(key+"files", "nothing", "at least one list of addresses: a line each, JSONL with id, url, title and date, or the quotes file of Quotus (.json)")
		case s.Fetch.Archive != "" && (!isAddress(s.Fetch.Archive) || !strings.Contains(s.Fetch.Archive, "{url}")):
			return c.Refuse(key+"fetch.archive", s.Fetch.Archive, "an address with {url} in it, such as https://web.archive.org/web/{time}id_/{url}")
		}
		return nil
	},
}
