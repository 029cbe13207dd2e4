package news

import (
	"encoding/json"
	"mime"
	"regexp"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/commonplace/commonplace/bounded"
)

// metaCharset is what a page declares in its first bytes.
var metaCharset = regexp.MustCompile(`(?i)charset\s*=\s*["']?\s*([a-z0-9_:-]{2,40})`)

// declared is the encoding that the server or the page says; the server first.
func declared(page []byte, contentType string) string {
	if _, params, err := mime.ParseMediaType(contentType); err == nil && params["charset"] != "" {
		return params["charset"]
	}
	if m := metaCharset.FindSubmatch(page[:min(len(page), 4096)]); m != nil {
		return string(m[1])
	}
	return ""
}

// about reads what a page says of itself.
func about(doc *goquery.Document) Article {
	data := linkedData(doc)
	a := Article{
		Title:    first(meta(doc, "og:title", "twitter:title", "DC.title"), data.Headline, doc.Find(`h1[itemprop="headline"]`).First().Text()),
		Author:   first(meta(doc, "author", "byl", "DC.creator", "article:author_name"), data.author(), doc.Find(`[itemprop="author"],[rel="author"]`).First().Text(), short(doc.Find(".byline").First().Text())),
		Language: strings.ToLower(first(doc.Find("html").AttrOr("lang", ""), doc.Find("html").AttrOr("xml:lang", ""), meta(doc, "language"))),
	}
	if a.Title == "" { // the heading that the window's title begins with, or that title
		a.Title = oneLine(doc.Find("head title").First().Text())
		if h := doc.Find("h1").FilterFunction(func(_ int, s *goquery.Selection) bool {
			return oneLine(s.Text()) != "" && strings.HasPrefix(a.Title, oneLine(s.Text()))
		}).First(); h.Length() == 1 {
			a.Title = oneLine(h.Text())
		}
	}
	a.Author = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(a.Author, "By "), "by "))
	for _, s := range []string{
		meta(doc, "article:published_time", "datePublished", "pubdate", "publish-date", "DC.date.issued", "date", "dc.date", "PUBDATE", "sailthru.date"), data.Published,
		doc.Find(`[itemprop="datePublished"]`).First().AttrOr("content", ""), doc.Find(`[itemprop="datePublished"]`).First().AttrOr("datetime", ""),
		doc.Find("article time[datetime], time[pubdate]").First().AttrOr("datetime", ""),
	} {
		if a.Date = day(s); a.Date != "" {
			break
		}
	}
	return a
}

// meta is the first of some names that a page's head gives.
func meta(doc *goquery.Document, names ...string) string {
	for _, name := range names {
		if v := doc.Find(`meta[property="`+name+`"],meta[name="`+name+`"],meta[itemprop="`+name+`"]`).First().AttrOr("content", ""); strings.TrimSpace(v) != "" {
			return oneLine(v)
		}
	}
	return ""
}

func first(values ...string) string {
	for _, v := range values {
		if v = oneLine(v); v != "" {
			return v
		}
	}
	return ""
}

// short is a text that can be a name.
func short(s string) string {
	if s = oneLine(s); len(s) > 80 {
		return ""
	}
	return s
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// linked is the part of schema.org's vocabulary that is looked at.
type linked struct {
	Headline  string
	Published string
	Author    any
}

// withGraph is what a script holds. Graphs within its graph are not looked at: each level
// would be read as often as there are levels around it.
type withGraph struct {
	linked
	graph []linked
}

func (l *linked) UnmarshalJSON(raw []byte) error { return l.read(raw, nil) }

func (l *withGraph) UnmarshalJSON(raw []byte) error { return l.read(raw, &l.graph) }

// read takes the exact names, as JSON-LD has them.
func (l *linked) read(raw []byte, graph *[]linked) error {
	fields := map[string]any{"headline": &l.Headline, "datePublished": &l.Published, "author": &l.Author}
	if graph != nil {
		fields["@graph"] = graph
	}
	var failed error
	err := bounded.Object(raw, bounded.Limits{}, func(name string, value json.RawMessage) {
		if to := fields[name]; to != nil && failed == nil {
			failed = json.Unmarshal(value, to)
		}
	})
	if err != nil {
		return err
	}
	return failed
}

// linkedData is the first article that a page's JSON-LD describes.
func linkedData(doc *goquery.Document) (found linked) {
	doc.Find(`script[type="application/ld+json"]`).EachWithBreak(func(_ int, s *goquery.Selection) bool {
		raw := []byte(s.Text())
		var one withGraph
		var many []linked
		if json.Unmarshal(raw, &one) == nil {
			many = append(one.graph, one.linked)
		} else if json.Unmarshal(raw, &many) != nil {
			return true
		}
		for _, l := range many {
			if l.Headline != "" {
				found = l
				return false
			}
		}
		return true
	})
	return found
}

func (l linked) author() string {
	switch v := l.Author.(type) {
	case string:
		return v
	case map[string]any:
		name, _ := v["name"].(string)
		return name
	case []any:
		var names []string
		for _, one := range v {
			if name := (linked{Author: one}).author(); name != "" {
				names = append(names, name)
			}
		}
		return strings.Join(names, "; ")
	}
	return ""
}

// day reads the forms in which pages give a date.
func day(s string) string {
	s = oneLine(s)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02", "20060102", "20060102150405", "2006/01/02",
		time.RFC1123, time.RFC1123Z, "January 2, 2006", "Jan. 2, 2006", "Jan 2, 2006", "2 January 2006", "Mon, 2 Jan 2006"} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1900 && t.Year() < 2200 {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}
