// Package crawl holds what all that reads sources agrees on: the one form of an
// [Address], a [Path] as bytes, and a [DocumentID].
package crawl

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Address is the address of something on a web server, in the one form in which
// it is asked for, kept, compared and shown. The zero value is no address.
//
// The form is what a client puts on the wire: scheme and host in small letters,
// the host as punycode, no default port, no zeros before a port, no fragment, a
// path that begins with a slash and has no dot segments, and every byte that an
// address cannot hold written as an octet. Octets that somebody wrote stay as they
// are: a server may distinguish %7E from ~.
type Address struct {
	text string
	host string
}

// maxAddress is longer than what servers take, in bytes, as written and in its form.
const maxAddress = 8 << 10

// Errors of [ParseAddress].
var (
	ErrAddress = errors.New("no address of a web server")
	ErrUser    = errors.New("it holds a user's name or password")
)

// ParseAddress gives an address its form. Two texts for which it gives the same
// are one address. Its errors repeat no user's name or password.
func ParseAddress(text string) (Address, error) {
	refuse := func(format string, args ...any) (Address, error) {
		return Address{}, fmt.Errorf("%w: "+format, append([]any{ErrAddress}, args...)...)
	}
	if len(text) > maxAddress {
		return refuse("%d bytes, more than %d", len(text), maxAddress)
	}
	text = strings.TrimSpace(text)
	scheme, rest, ok := strings.Cut(text, "://")
	if scheme = strings.ToLower(scheme); !ok || scheme != "http" && scheme != "https" {
		return refuse("%q begins with neither http:// nor https://", WithoutUser(text))
	}
	if at := strings.IndexFunc(text, func(r rune) bool { return r < 0x20 || r == 0x7f }); at >= 0 {
		return refuse("%q holds a control character", WithoutUser(text))
	}
	rest, _, _ = strings.Cut(rest, "#")
	authority, below := rest, ""
	if at := strings.IndexAny(rest, "/?"); at >= 0 {
		authority, below = rest[:at], rest[at:]
	}
	if strings.Contains(authority, "@") || withPassword.MatchString(below) {
		return Address{}, fmt.Errorf("%w: %w: %q", ErrAddress, ErrUser, WithoutUser(text))
	}
	u, err := url.Parse(scheme + "://" + authority)
	if err != nil || u.Hostname() == "" {
		return refuse("%q names no host", WithoutUser(text))
	}
	host, err := hostOf(u)
	if err != nil {
		return refuse("%q: %v", WithoutUser(text), err)
	}
	path, query, asks := strings.Cut(below, "?")
	if u, err = url.Parse(scheme + "://" + host + escape(path, inPath)); err != nil {
		return refuse("%q cannot be read", WithoutUser(text))
	}
	u = u.ResolveReference(u) // takes dot segments out
	if u.Path == "" {
		u.Path = "/"
	}
	if asks {
		u.RawQuery, u.ForceQuery = escape(query, inQuery), query == ""
	}
	a := Address{u.String(), strings.TrimSuffix(u.Hostname(), ".")}
	if len(a.text) > maxAddress {
		return refuse("%d bytes as it is asked for, more than %d", len(a.text), maxAddress)
	}
	return a, nil
}

// hostOf is a host with its port as addresses have it.
func hostOf(u *url.URL) (string, error) {
	name, port := strings.ToLower(u.Hostname()), u.Port()
	if !isASCII(name) {
		var err error
		if name, err = idna.Lookup.ToASCII(name); err != nil {
			return "", err
		}
	}
	if at := strings.IndexFunc(name, func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-._:", r) }); at >= 0 {
		return "", fmt.Errorf("%q is no name of a host", name)
	}
	if strings.Contains("."+strings.TrimSuffix(name, ".")+".", "..") {
		return "", fmt.Errorf("%q has an empty part between its dots", name)
	}
	if strings.Contains(name, ":") {
		ip, err := netip.ParseAddr(name)
		if err != nil {
			return "", fmt.Errorf("%q is no name of a host", name)
		}
		name = "[" + ip.String() + "]"
	}
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return "", fmt.Errorf("%q is no port", port)
		}
		port = strconv.FormatUint(n, 10)
	}
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return name, nil
	}
	return name + ":" + port, nil
}

// Characters that stay as they are, beside letters, digits and octets: those that
// net/url leaves in a path, and those that browsers leave in a query.
const (
	inPath  = "-._~$&+,/:;=@!'()*[]"
	inQuery = inPath + "?\\^`{|}"
)

// escape writes what an address cannot hold as octets, also a % without digits.
func escape(s, stays string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		octet := c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
		if octet || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(stays, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// String is the address in its form.
func (a Address) String() string { return a.text }

// Valid says that it is an address and not the zero value.
func (a Address) Valid() bool { return a.text != "" }

// Host is what politeness counts by: the host's name, whatever the port.
func (a Address) Host() string { return a.host }

// Authority is the scheme, the host and the port: who answers, and who gets a
// credential.
func (a Address) Authority() string {
	begin := strings.Index(a.text, "//") + 2
	return a.text[:begin+strings.IndexByte(a.text[begin:], '/')]
}

// Parse gives an address that is on this one's page, such as a redirect's,
// its form.
func (a Address) Parse(reference string) (Address, error) {
	reference = strings.TrimSpace(reference)
	if strings.Contains(reference, "://") && !strings.ContainsAny(reference[:strings.Index(reference, "://")], "/?#") {
		return ParseAddress(reference)
	}
	base, err := url.Parse(a.text)
	if err != nil {
		return Address{}, fmt.Errorf("%w: %q", ErrAddress, a.text)
	}
	path, query, asks := strings.Cut(reference, "?")
	path, _, _ = strings.Cut(path, "#") // the query's is cut below
	clean := escape(path, inPath)
	if asks {
		clean += "?" + escape(query, inQuery+"#")
	}
	to, err := base.Parse(clean)
	if err != nil {
		return Address{}, fmt.Errorf("%w: %q", ErrAddress, WithoutUser(reference))
	}
	return ParseAddress(to.String())
}

// withPassword is a user with a password in an address that is within another's
// path or query, as web archives have them.
var withPassword = regexp.MustCompile(`(?i)(https?|ftp):/{1,2}[^/?#@\s]*:[^/?#@\s]*@`)

// plainAuthority is a host, with a port or without.
var plainAuthority = regexp.MustCompile(`^([^:@\\]*|\[[^\]@]*\])(:[0-9]*)?$`)

// WithoutUser takes the user's name and password out of what may be an address, so
// that it can be shown. Of what is no address, nothing before an @ is shown: a
// password may hold a slash, or its scheme may be misspelt.
func WithoutUser(text string) string {
	cut := strings.LastIndexByte(text, '@')
	if cut < 0 {
		return text
	}
	begin := 0
	if scheme, _, ok := strings.Cut(text, "//"); ok && !strings.ContainsAny(scheme, "@/?#") && (scheme == "" || strings.HasSuffix(scheme, ":")) {
		begin = len(scheme) + 2
		end := len(text)
		if at := strings.IndexAny(text[begin:], "/?#"); at >= 0 {
			end = begin + at
		}
		user := strings.LastIndexByte(text[begin:end], '@')
		switch {
		case withPassword.MatchString(text[end:]):
		case user >= 0:
			cut = begin + user
		case plainAuthority.MatchString(text[begin:end]):
			return text // the @ is the path's
		}
	}
	return text[:begin] + "..." + text[cut:]
}

// MarshalText writes the address; of the zero value, nothing.
func (a Address) MarshalText() ([]byte, error) { return []byte(a.text), nil }

// UnmarshalText gives what was written its form: earlier versions kept addresses
// as they were asked for.
func (a *Address) UnmarshalText(text []byte) (err error) {
	*a = Address{}
	if len(text) > 0 {
		*a, err = ParseAddress(string(text))
	}
	return err
}
