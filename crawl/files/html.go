package files

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/charset"
	"github.com/commonplace/commonplace/crawl/gutenberg"
)

// htmlCharset is what a page declares in its first bytes.
var htmlCharset = regexp.MustCompile(`(?i)charset\s*=\s*["']?\s*([a-z0-9_:-]{2,40})`)

// readHTML reads an HTML page by its visible text: a blank line between
// paragraphs, headings and other blocks, a line break for <br>, lines kept in
// <pre>. Scripts, styles and the head are left out. Offsets, also the frame's,
// are into that text. It goes over the page once and keeps no tree, so that
// depth and unclosed elements cost nothing.
func readHTML(ctx context.Context, file File, opts Options) (commonplace.Document, error) {
	id := strings.TrimSuffix(strings.TrimSuffix(file.ID, ".htm"), ".html")
	refuse := refusal(id, file.Path)
	if detail := crawl.BadID(id); detail != "" {
		return refuse(ReasonBadID, detail)
	}
	raw, reason, err := readAll(ctx, file, opts)
	if err != nil {
		return refuse(reason, err.Error())
	}
	file.ID = id
	return page(file, raw, opts)
}

// isPage says that bytes begin as an HTML page does, whatever the file's name.
func isPage(raw []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(raw[:min(len(raw), 2048)], []byte("\xef\xbb\xbf"))))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html")) ||
		bytes.HasPrefix(head, []byte("<?xml")) && bytes.Contains(head, []byte("<html"))
}

// page makes a document of the text that a reader of a page sees.
func page(file File, raw []byte, opts Options) (commonplace.Document, error) {
	refuse := refusal(file.ID, file.Path)
	declared := opts.Encoding
	if m := htmlCharset.FindSubmatch(raw[:min(len(raw), 2048)]); m != nil && declared == "" {
		declared = string(m[1])
	}
	decoded, err := charset.Decode(raw, declared)
	if err != nil {
		return refuse(ReasonEncoding, err.Error())
	}
	if err := bounded.CheckTags(decoded.Text, opts.Limits); err != nil {
		return refuse(ReasonLimit, err.Error())
	}
	text, title := visible(decoded.Text)
	doc := commonplace.Document{ID: file.ID, Source: opts.Source, URL: file.Rel, EBook: file.EBook, SHA256: sum(raw),
		Encoding: decoded.Encoding, EncodingReason: decoded.Reason}
	if opts.Frame == FrameNone || opts.Bare {
		doc.Text, doc.FrameStatus = text, StatusAsIs
		doc.Characters = int64(utf8.RuneCountInString(text))
		doc.FrameEnd = doc.Characters
	} else {
		unframe(&doc, text)
		if doc.Characters == 0 && doc.FrameStatus != string(gutenberg.None) {
			return refuse(ReasonHeaderOnly, "nothing stands between the frame's start and its end: "+doc.FrameMarkers)
		}
	}
	if doc.Title == "" {
		doc.Title = title
	}
	return doc, blank(doc, refuse)
}

// visible is the text of a page that a reader sees, and its title.
func visible(page string) (text, title string) {
	var f flow
	var heading flow
	z := html.NewTokenizer(strings.NewReader(page))
	hidden, depth, foreign, pre := "", 0, false, 0
	var aside flow // what the hidden element holds: the page's rest, if it is never closed
	code := false  // in a script or style, which are text to the tokenizer
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			if s := aside.String(); hidden != "" && s != "" {
				f.part(2)
				f.addLines(s)
			}
			return f.String(), heading.String()
		}
		switch kind {
		case html.TextToken:
			switch s := string(z.Text()); {
			case code:
			case hidden == "title":
				heading.add(s)
			case hidden != "":
				aside.add(s)
			case pre > 0:
				f.addLines(s)
			default:
				f.add(s)
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			name, _ := z.TagName()
			tag := string(name)
			open := kind == html.StartTagToken
			switch tag {
			case "script", "style":
				code = open
			case "noscript", "title", "template", "svg", "select":
				if open && tag == "noscript" {
					z.NextIsNotRawText() // tags in it are tags, should it have no end
				}
				switch {
				case open && hidden == "":
					hidden, depth, foreign, aside = tag, 1, false, flow{}
				case open && hidden == tag:
					depth++
				case kind == html.EndTagToken && hidden == tag:
					if depth--; depth == 0 {
						hidden = ""
					}
				}
			case "foreignobject":
				foreign = open
			case "body": // an unclosed <svg> in the head hides nothing below
				hidden = ""
			case "pre":
				if open {
					pre++
				} else {
					pre = max(0, pre-1)
				}
			}
			if hidden == "svg" && open && !foreign && htmlBreaks(tag) > 0 { // as in browsers: no drawing holds a paragraph
				hidden = ""
			}
			f.part(htmlBreaks(tag))
			aside.part(htmlBreaks(tag))
		}
	}
}

// htmlBreaks is how many line breaks stand around an element.
func htmlBreaks(tag string) int {
	switch tag {
	case "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "ul", "ol", "dl", "table", "section", "article", "header", "footer",
		"main", "aside", "nav", "figure", "hr", "form", "body", "address", "center":
		return 2
	case "br", "li", "tr", "dt", "dd", "figcaption", "option":
		return 1
	}
	return 0
}
