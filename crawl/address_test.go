package crawl

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]string{
		"http://a.org/1.txt":                                "http://a.org/1.txt",
		" HTTP://A.org:80 ":                                 "http://a.org/",
		"https://a.org:443/?":                               "https://a.org/?",
		"https://a.org:80/a?b#c":                            "https://a.org:80/a?b",
		"http://a.org/oké9":                                 "http://a.org/ok%C3%A99",
		"http://a.org/ok%c3%a99":                            "http://a.org/ok%c3%a99",
		"http://a.org/a b\"c<d>|e\\f":                       "http://a.org/a%20b%22c%3Cd%3E%7Ce%5Cf",
		"http://a.org/?q=a b\"é|{}'":                        "http://a.org/?q=a%20b%22%C3%A9|{}'",
		"http://a.org/100%":                                 "http://a.org/100%25",
		"http://a.org/%zz?%":                                "http://a.org/%25zz?%25",
		"http://a.org/~a;b=c,d+e@f(g)!":                     "http://a.org/~a;b=c,d+e@f(g)!",
		"http://a.org/x/../b/./c":                           "http://a.org/b/c",
		"http://a.org/../../x":                              "http://a.org/x",
		"http://a.org//x//y":                                "http://a.org//x//y",
		"http://oké.org/":                                   "http://xn--ok-cja.org/",
		"http://a_b.org/\xe9":                               "http://a_b.org/%E9",
		"http://a.org:080/":                                 "http://a.org/",
		"https://a.org:00443/":                              "https://a.org/",
		"http://a.org:08080/":                               "http://a.org:8080/",
		"http://[0:0:0:0:0:0:0:1]/":                         "http://[::1]/",
		"http://[::FFFF:1.2.3.4]/":                          "http://[::ffff:1.2.3.4]/",
		"http://[::ffff:102:304]/":                          "http://[::ffff:1.2.3.4]/",
		"http://[::1]:8080/a":                               "http://[::1]:8080/a",
		"https://web.archive.org/web/2id_/http://a.org/x?y": "https://web.archive.org/web/2id_/http://a.org/x?y",
	} {
		a, err := ParseAddress(text)
		if err != nil || a.String() != want {
			t.Errorf("%q: %q, %v, want %q", text, a, err, want)
		}
	}
	for _, text := range []string{"", "a.org", "ftp://a.org/", "file:///etc/passwd", "gopher://a", "http://", "http:///a", "http://user:pass@a.org/", "http://@a.org/", "http://a.org:port/", "http://a.org:65536/", "http://[::1::2]/", "http://[12345::]/",
		"http://a.org/\x00", "http://a.org/\nx", "http://a b/", "http://a\"b/", "http://[::1%25eth0]/", "://", "http://a.org/" + strings.Repeat("x", 9000), "http://a.org/" + strings.Repeat("\xad", 3000)} {
		if a, err := ParseAddress(text); !errors.Is(err, ErrAddress) || a.Valid() || strings.Contains(err.Error(), "pass@") {
			t.Errorf("%.40q: %v, %v", text, a, err)
		}
	}
}

// A password is refused and shown nowhere, however badly the address is written.
func TestPasswordsAreNotShown(t *testing.T) {
	base, err := ParseAddress("http://a.org/b")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"https://user:secret@host/", "HTTPS://user:secret@host", "ftp://user:secret@host/", "https:/user:secret@host/", "https:user:secret@host/", `https:\\user:secret@host/`,
		"user:secret@host/", "user:secret@host//x", "//user:secret@host/", "htps ://user:secret@host/",
		"https://user:secret/x@host/", "https://user:secret?x@host/", "https://user:secret#x@host/", "https://user:x@secret@host/", `https://user:secret\@host/`,
		"https://user:secret@[::1/", "https://user:sec\nret@host/", "https://user:secret@ho st/", "https://us er:secret@host:x/",
		"https://web.archive.org/web/2020/https://user:secret@host/", "https://a.org/?u=http://user:secret@host/", "https://a.org/http:/user:secret@host/",
	} {
		if a, err := ParseAddress(text); err == nil || strings.Contains(err.Error(), "sec") {
			t.Errorf("%q: %q, %v", text, a, err)
		}
		if shown := WithoutUser(text); strings.Contains(shown, "sec") || !strings.Contains(shown, "...") {
			t.Errorf("%q is shown as %q", text, shown)
		}
		if a, err := base.Parse(text); strings.HasPrefix(strings.ToLower(text), "http") && (err != nil && strings.Contains(err.Error(), "sec")) {
			t.Errorf("%q as a reference: %q, %v", text, a, err)
		}
	}
	for _, text := range []string{"https://a.org/@user/title", "https://a.org:80/@user", "https://[::1]:80/a@b", "https://a.org/?mail=a@b", "no address"} {
		if shown := WithoutUser(text); shown != text {
			t.Errorf("%q is shown as %q", text, shown)
		}
	}
}

// TestReferences are those of redirects.
func TestReferences(t *testing.T) {
	base, err := ParseAddress("http://a.org/b/c?d")
	if err != nil {
		t.Fatal(err)
	}
	for reference, want := range map[string]string{
		"e": "http://a.org/b/e", "../é#f": "http://a.org/%C3%A9", "?g h#i": "http://a.org/b/c?g%20h", "//B.org": "http://b.org/", "//oké.org/x": "http://xn--ok-cja.org/x",
		"HTTPS://b.org/x": "https://b.org/x", "/x?u=http://y/": "http://a.org/x?u=http://y/", "/100%": "http://a.org/100%25",
	} {
		if a, err := base.Parse(reference); err != nil || a.String() != want {
			t.Errorf("%q: %v, %v, want %q", reference, a, err, want)
		}
	}
	for _, reference := range []string{"ftp://a.org/", "mailto:a@b.org", "javascript:0", "http://u:secret@b.org/", "//u:secret@b.org/"} {
		if a, err := base.Parse(reference); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, %v", reference, a, err)
		}
	}
}

// FuzzAddress holds the form to what it is for: it is its own form, what net/http
// sends of it is it, and what was written of it is read as it.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"http://a.org", "HTTP://é.org:80/é?\"#x", "https://[::1]:1/%zz/../%2e", "http://a.org//../b", "http://a/?", "http://a.org:/", "http://a/;%41?%", "http://a./", "http://.", "http://a..b/"} {
		f.Add(s, "../x")
	}
	f.Fuzz(func(t *testing.T, text, reference string) {
		a, err := ParseAddress(text)
		if err != nil {
			return
		}
		if again, err := ParseAddress(a.String()); err != nil || again != a {
			t.Fatalf("%q: %q becomes %q, %v", text, a, again, err)
		}
		u, err := url.Parse(a.String())
		if err != nil || u.String() != a.String() || strings.ContainsAny(u.RequestURI(), " \"<>") {
			t.Fatalf("%q: %q is sent as %v, %v", text, a, u, err)
		}
		var back Address
		b, err := json.Marshal(a)
		if err != nil || json.Unmarshal(b, &back) != nil || back != a {
			t.Fatalf("%q: written as %s, read as %v, %v", text, b, back, err)
		}
		if !strings.HasPrefix(a.String(), a.Authority()+"/") || a.Host() == "" {
			t.Fatalf("%q: %q of %q", text, a.Authority(), a.Host())
		}
		if to, err := a.Parse(reference); err == nil {
			if again, err := ParseAddress(to.String()); err != nil || again != to {
				t.Fatalf("%q from %q: %q becomes %q, %v", reference, a, to, again, err)
			}
		}
	})
}
