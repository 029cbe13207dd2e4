// Package news takes the article out of a news site's page: its paragraphs, its
// title, author and day, and nothing of what is around it.
//
//	article, err := news.Extract(page, "text/html; charset=iso-8859-1", address)
//
// goquery reads what the page says of itself and takes away what no site counts
// as its article; go-readability, the port of what browsers show as their reading
// view, finds the element that holds the article in what is left. On ten pages
// in the styles of ten kinds of site the two together are better, smaller and
// quicker than go-trafilatura; ARCHITECTURE.md has the figures.
package news

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability"
	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/charset"
)

// Article is what was taken out of a page.
type Article struct {
	Title    string
	Author   string
	Date     string // YYYY-MM-DD, empty when the page does not say
	Language string // as the page declares it, empty when it does not
	Text     string // paragraphs with a blank line between them
	Around   int    // code points of visible text that are not the article's

	Encoding, EncodingReason string // as package charset decided
}

// MaxBytes is longer than any article's page.
const MaxBytes = 8 << 20

// Errors of Extract.
var (
	ErrNoArticle = errors.New("no article")
	ErrTooLong   = errors.New("over the limit")
	ErrPage      = errors.New("broken page")
)

// Extract takes the article out of a page. The content type is the server's, or
// empty; the address is what links are relative to.
func Extract(page []byte, contentType, address string) (a Article, err error) {
	if len(page) > MaxBytes {
		return a, fmt.Errorf("%w: a page of %d bytes, more than %d", ErrTooLong, len(page), MaxBytes)
	}
	decoded, err := charset.Decode(page, declared(page, contentType))
	if err != nil {
		return a, fmt.Errorf("%w: %w", ErrPage, err)
	}
	if err := bounded.CheckTags(decoded.Text, bounded.Limits{}); err != nil {
		return a, fmt.Errorf("%w: %w", ErrTooLong, err)
	}
	root, err := html.Parse(strings.NewReader(decoded.Text))
	if err != nil { // deeper than 512 elements
		return a, fmt.Errorf("%w: %w", ErrPage, err)
	}
	doc := goquery.NewDocumentFromNode(root)
	a = about(doc)
	a.Encoding, a.EncodingReason = decoded.Encoding, decoded.Reason
	hide(doc)
	visible := points(textOf(doc.Find("body").Nodes...))
	prune(doc)
	base, err := url.Parse(address)
	if err != nil {
		base = nil
	}
	found, err := body(root, base)
	if err != nil {
		return a, err
	}
	if a.Author == "" {
		a.Author = oneLine(found.Byline)
	}
	if a.Text = article(textOf(found.Node), a.Title); a.Text == "" {
		return a, fmt.Errorf("%w: nothing on the page reads like one", ErrNoArticle)
	}
	a.Around = max(0, visible-points(a.Text))
	return a, nil
}

// body is go-readability's find; what makes it fall over is a broken page.
func body(root *html.Node, base *url.URL) (found readability.Article, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrPage, p)
		}
	}()
	found, err = readability.FromDocument(root, base)
	if err != nil {
		return found, fmt.Errorf("%w: %w", ErrPage, err)
	}
	if found.Node == nil {
		return found, fmt.Errorf("%w: nothing on the page reads like one", ErrNoArticle)
	}
	return found, nil
}
