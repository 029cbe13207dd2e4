package hathitrust

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/commonplace/commonplace"
)

// TestSign checks a signature against one that was computed with another
// program's HMAC, and the order of parameters against RFC 5849, 3.4.1.3.2.
func TestSign(t *testing.T) {
	address := MetaAddress("https://Example.org/cgi/htd/", "uc2.ark:/13960/t1")
	if address != "https://Example.org/cgi/htd/volume/meta/uc2.ark:/13960/t1?format=json&v=2" {
		t.Fatal(address)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	got := Credentials{"key+1", "s&cret"}.sign(u, "abc", time.Unix(1300000000, 0))
	want := "format=json&oauth_consumer_key=key%2B1&oauth_nonce=abc&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1300000000&oauth_version=1.0&v=2&oauth_signature=jVAhsY9aKLQv2%2FQ2cgrttrYJQMk%3D"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if a, b := (Credentials{"k", "s"}).Sign(u), (Credentials{"k", "s"}).Sign(u); a == b || strings.Contains(a, "cret") {
		t.Error("two requests have one nonce, or the secret is in the query")
	}
}

func TestPages(t *testing.T) {
	for meta, want := range map[string]int{`{"htd:numpages":"312","x":1}`: 312, `{"htd:numpages": 7}`: 7, `<htd:numpages>42</htd:numpages>`: 42, `{}`: -1, `{"numpages":"many"}`: -1} {
		n, err := Pages([]byte(meta))
		if err != nil {
			n = -1
		}
		if n != want {
			t.Errorf("%s: %d, %v", meta, n, err)
		}
	}
}

func TestFromPages(t *testing.T) {
	doc, reject := FromPages("uc2.x", [][]byte{[]byte("THE MILL\nThe miller counted his sacks, and the ri-\n"), nil, []byte("ver counted none.\n")}, Record{Title: "The Mill", Rights: "pd"}, Options{Hyphens: true})
	if reject != nil || len(doc.Pages) != 3 || doc.Pages[2].Sequence != 3 || doc.Rights != "pd" || !strings.Contains(doc.Text, "counted none.") {
		t.Errorf("%+v, %v", doc, reject)
	}
	_, err := FromPages("uc2.x", [][]byte{[]byte(" \n")}, Record{}, Options{})
	if reject := commonplace.RejectOf(err); reject == nil || reject.Reason != "white space only" {
		t.Errorf("%v", reject)
	}
}
