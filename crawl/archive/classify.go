package archive

import (
	"bytes"
	"regexp"
	"strings"
)

// What a body looks like.
const (
	BodyEmpty        = "empty"
	BodyText         = "text"
	BodyPage         = "page" // HTML
	BodyBook         = "book" // HTML with a Project Gutenberg frame: some are served under a text's name
	BodyInterstitial = "wall" // an interstitial page, for a person: captcha, consent, login
	BodyOther        = "other"
)

// interstitialWords are words of pages that stand in the way of the page that was asked
// for. They are looked for in what a person sees of short pages only, so that an
// article about captchas stays one.
var interstitialWords = []string{
	"captcha", "are you a robot", "are you human", "verify you are human", "verify that you are human", "prove you are human", "not a robot",
	"checking your browser", "just a moment...", "attention required!", "unusual traffic", "automated requests", "automated access", "access denied",
	"pardon our interruption", "please enable javascript and cookies", "please enable js and disable any ad blocker", "enable cookies to continue",
	"before you continue", "we value your privacy", "your privacy choices", "accept all cookies", "consent to the use of cookies", "manage your consent",
	"ddos protection by", "request blocked", "you have been blocked", "ich bin kein roboter", "je ne suis pas un robot", "accepter et continuer",
	"bevor sie fortfahren", "alle akzeptieren", "log in to continue", "sign in to continue",
}

// interstitialMarkup are pieces of markup that only such pages have, or that count only
// where there is little else to read.
var interstitialMarkup = []string{"g-recaptcha", "h-captcha", "cf-challenge", "cf-turnstile", "challenge-platform", "px-captcha", "_incapsula_resource", "geo.captcha-delivery.com"}

// interstitialLength is more visible text than an interstitial page has.
const interstitialLength = 250

var (
	hiddenParts = regexp.MustCompile(`(?is)<(script|style|noscript|head)\b.*?</(?:script|style|noscript|head)\s*>|<!--.*?-->`)
	titlePart   = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`)
	tags        = regexp.MustCompile(`(?s)<[^>]*>`)
)

// lookAt is how much of a body is looked at; no interstitial page is longer.
const lookAt = 256 << 10

// Classify says what a body looks like.
func Classify(body []byte, contentType string) string {
	trimmed := bytes.TrimSpace(bytes.TrimPrefix(body[:min(len(body), lookAt)], []byte("\xef\xbb\xbf")))
	if len(trimmed) == 0 {
		return BodyEmpty
	}
	head := bytes.ToLower(trimmed[:min(len(trimmed), 1024)])
	isPage := bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html")) || bytes.HasPrefix(head, []byte("<!--")) && bytes.Contains(head, []byte("<html")) ||
		bytes.HasPrefix(head, []byte("<?xml")) && bytes.Contains(head, []byte("<html")) || bytes.HasPrefix(head, []byte("<head")) ||
		strings.HasPrefix(strings.ToLower(contentType), "text/html") && head[0] == '<'
	if !isPage {
		if bytes.IndexByte(trimmed[:min(len(trimmed), 4096)], 0) >= 0 || bytes.HasPrefix(head, []byte("\x1f\x8b")) || bytes.HasPrefix(head, []byte("%pdf-")) || bytes.HasPrefix(head, []byte("pk\x03\x04")) {
			return BodyOther
		}
		return BodyText
	}
	if containsFold(body, "START OF TH") && containsFold(body, "PROJECT GUTENBERG") {
		return BodyBook
	}
	if len(body) < lookAt && isInterstitial(string(trimmed)) {
		return BodyInterstitial
	}
	return BodyPage
}

// containsFold looks for ASCII capitals in either case, and copies nothing: a body
// may be long.
func containsFold(body []byte, capitals string) bool {
	first := capitals[:1] + strings.ToLower(capitals[:1])
	for {
		i := bytes.IndexAny(body, first)
		if i < 0 || len(body)-i < len(capitals) {
			return false
		}
		if strings.EqualFold(string(body[i:i+len(capitals)]), capitals) {
			return true
		}
		body = body[i+1:]
	}
}

// isInterstitial reports whether a page asks for a person.
func isInterstitial(page string) bool {
	title := ""
	if m := titlePart.FindStringSubmatch(page); m != nil {
		title = m[1]
	}
	visible := strings.ToLower(title + " " + tags.ReplaceAllString(hiddenParts.ReplaceAllString(page, " "), " "))
	if len(strings.Fields(visible)) > interstitialLength {
		return false
	}
	for _, w := range interstitialWords {
		if strings.Contains(visible, w) {
			return true
		}
	}
	lower := strings.ToLower(page)
	for _, m := range interstitialMarkup {
		if strings.Contains(lower, m) {
			return true
		}
	}
	return false
}
