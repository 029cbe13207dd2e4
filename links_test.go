package commonplace_test

import (
	"net/url"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// Templates and snapshots of pages that are read elsewhere: their links hold in
// the folder of an export, not here.
var notOurPages = []string{"export/card.md", "export/testdata/"}

var (
	inlineLink = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	codeSpan   = regexp.MustCompile("`[^`]*`")
	linkTarget = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// TestLinks follows every relative link of every page: the file exists, and a
// page's heading has the anchor.
func TestLinks(t *testing.T) {
	pages, links := 0, 0
	walkCheckout(t, func(name string) {
		if path.Ext(name) != ".md" || elsewhere(name) {
			return
		}
		pages++
		for _, link := range linksOf(readPage(t, name)) {
			if u, err := url.Parse(link); err != nil || u.Scheme != "" {
				continue // an address: tests need no network
			}
			links++
			if problem := follow(t, name, link); problem != "" {
				t.Errorf("%s: link %s: %s", name, link, problem)
			}
		}
	})
	if pages < 15 || links < 50 {
		t.Errorf("only %d links in %d pages: are these all pages?", links, pages)
	}
}

// TestBrokenLinks holds the checker itself to three broken links and one good one.
func TestBrokenLinks(t *testing.T) {
	page := "# A `b` page: (c)\n\n[good](README.md#two-commands) [here](#a-b-page-c)\n" +
		"[gone](nothing.md) [anchor](README.md#no-such-heading) [here](#none)\n" +
		"`[code](nothing.md)`\n\n```\n# no heading\n[code](nothing.md)\n```\n"
	if got := linksOf(page); len(got) != 5 {
		t.Errorf("links are %q", got)
	}
	if got := anchorsOf(page); len(got) != 1 || !got["a-b-page-c"] {
		t.Errorf("anchors are %v", got)
	}
	if got := anchorsOf("# Same\n\n## Same\n"); !got["same"] || !got["same-1"] {
		t.Errorf("anchors of equal headings are %v", got)
	}
	for _, link := range []string{"nothing.md", "README.md#no-such-heading", "#none", "/README.md"} {
		if follow(t, "README.md", link) == "" {
			t.Errorf("link %s passes", link)
		}
	}
}

func elsewhere(name string) bool {
	for _, prefix := range notOurPages {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// linksOf lists the targets of a page's links, outside code.
func linksOf(page string) []string {
	var list []string
	for _, line := range prose(page) {
		for _, m := range inlineLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, ""), -1) {
			list = append(list, m[1])
		}
	}
	return list
}

// prose is a page's lines without fenced code.
func prose(page string) []string {
	var lines []string
	fenced := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if !fenced {
			lines = append(lines, strings.TrimRight(line, "\r\n"))
		}
	}
	return lines
}

// follow says what is wrong with a relative link of the page at name; "" means nothing.
func follow(t *testing.T, name, link string) string {
	t.Helper()
	target, anchor, _ := strings.Cut(link, "#")
	switch {
	case strings.HasPrefix(target, "/"):
		return "it is absolute"
	case target == "":
		target = name
	default:
		target = path.Join(path.Dir(name), target)
	}
	if _, err := os.Stat(target); err != nil {
		return "there is no such file"
	}
	if anchor != "" && !anchorsOf(readPage(t, target))[anchor] {
		return "no heading has this anchor"
	}
	return ""
}

// anchorsOf lists the anchors that GitHub gives a page's headings.
func anchorsOf(page string) map[string]bool {
	anchors := map[string]bool{}
	for _, line := range prose(page) {
		text := strings.TrimLeft(line, "#")
		if text == line || len(line)-len(text) > 6 || !strings.HasPrefix(text, " ") {
			continue
		}
		anchor := slug(linkTarget.ReplaceAllString(text, "$1"))
		for base, n := anchor, 1; anchors[anchor]; n++ {
			anchor = base + "-" + strconv.Itoa(n)
		}
		anchors[anchor] = true
	}
	return anchors
}

// slug is GitHub's anchor of a heading: lower case, marks dropped, spaces as hyphens.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}
