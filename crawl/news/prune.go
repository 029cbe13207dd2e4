package news

import (
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// unseen are elements that no reader sees.
const unseen = "head,script,style,noscript,template,iframe,object,svg,link,meta,select,[hidden],.hidden,.visually-hidden,.sr-only"

// hide takes away what no reader sees.
func hide(doc *goquery.Document) { doc.Find(unseen).Not("html,body").Remove() }

// around are elements that no site counts as its article, by their kind or role.
const around = "nav,form,button,input,aside,footer,figcaption,dialog," +
	"[role=navigation],[role=complementary],[role=contentinfo],[role=banner],[role=dialog],[role=search],[role=alert]"

// aroundWords are parts of the classes and ids that sites give to such elements.
var aroundWords = []string{
	"comment", "disqus", "related", "recommend", "share", "sharing", "social", "newsletter", "subscribe-", "promo", "advert", "sponsor", "cookie", "consent",
	"caption", "credit", "byline", "dateline", "timestamp", "story-date", "breadcrumb", "pagination", "pagelinks", "popular", "trending", "most-read", "toolbar", "articletools",
	"footer", "masthead", "sidebar", "signup", "tags", "bulletbin", "highlights", "video", "slideshow", "gallery", "signature", "tweet", "articleinfo",
}

// aroundNames are whole classes and ids of the same kind.
var aroundNames = map[string]bool{"ad": true, "ads": true, "ad_wrapper": true, "pub": true, "info": true, "outils": true, "tools": true, "follow": true, "poll": true, "top-ad": true, "css-ad": true}

// mostOfPage guards against classes that mean something else: an element with
// more than this share of the page's running text is no surroundings.
const mostOfPage = 0.4

// prune takes away what is around an article.
func prune(doc *goquery.Document) {
	body := doc.Find("body")
	all := running(body)
	drop := func(s *goquery.Selection) {
		if s.Is("html,body,article,main") || float64(running(s)) > mostOfPage*float64(all) {
			return
		}
		s.Remove()
	}
	doc.Find(around).Each(func(_ int, s *goquery.Selection) { drop(s) })
	doc.Find("[class],[id]").Each(func(_ int, s *goquery.Selection) {
		for _, name := range strings.Fields(strings.ToLower(s.AttrOr("class", "") + " " + s.AttrOr("id", ""))) {
			if isAround(name) {
				drop(s)
				return
			}
		}
	})
	cell(body, all)
	body.Find("*").AddSelection(body).Each(func(_ int, s *goquery.Selection) {
		if s.ChildrenFiltered("br").Length() >= manyBreaks && 2*running(s) > running(body) {
			paragraphs(s)
		}
	})
}

// manyBreaks are more line breaks than stand in verses or an address.
const manyBreaks = 6

// paragraphs makes paragraphs of an element that parts them by line breaks.
func paragraphs(s *goquery.Selection) {
	list := strings.Split(textOf(s.Nodes...), "\n\n")
	s.Empty()
	for _, p := range list {
		n := &html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.P}
		n.AppendChild(&html.Node{Type: html.TextNode, Data: p})
		s.AppendNodes(n)
	}
}

func isAround(name string) bool {
	if aroundNames[name] {
		return true
	}
	for _, w := range aroundWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// cell makes the page of tables' middle cell its body: old sites lay pages out
// with tables, and the article is the cell with most of the text.
func cell(body *goquery.Selection, all int) {
	best := body.Find("td").FilterFunction(func(_ int, s *goquery.Selection) bool {
		return s.Find("td").Length() == 0 && 2*running(s) > all && s.Closest("table").Find("th").Length() == 0
	}).First()
	if best.Length() == 1 {
		inner := best.Contents().Clone()
		body.Empty()
		body.AppendSelection(inner)
	}
}

// running is the length of an element's text outside links.
func running(s *goquery.Selection) int {
	n := len(oneLine(s.Text()))
	s.Find("a").Each(func(_ int, a *goquery.Selection) { n -= len(oneLine(a.Text())) })
	return max(0, n)
}
