package hathitrust

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	commonplace "github.com/commonplace/commonplace"
)

// The page endpoint is the Data API: a volume's description and each page's OCR
// at an address of its own, for those who have a pair of keys. Whether it still
// runs is for its operators to say; the addresses are those of its version 2, as
// the public clients of two universities ask for them (umd-mith/hathi,
// rlmv/hathitrust-api).

// MetaAddress is where an endpoint describes a volume.
func MetaAddress(endpoint, id string) string {
	return strings.TrimSuffix(endpoint, "/") + "/volume/meta/" + escapePath(id) + "?format=json&v=2"
}

// PageAddress is where it has the OCR of a page, counted from 1.
func PageAddress(endpoint, id string, sequence int) string {
	return fmt.Sprintf("%s/volume/pageocr/%s/%d?v=2", strings.TrimSuffix(endpoint, "/"), escapePath(id), sequence)
}

// numpages is in the description, as JSON or XML.
var numpages = regexp.MustCompile(`numpages["\s]*[:>]["\s]*(\d{1,6})\b`)

// Pages is the number of pages that a description gives.
func Pages(meta []byte) (int, error) {
	m := numpages.FindSubmatch(meta)
	if m == nil {
		return 0, errors.New("the description says of no number of pages (numpages)")
	}
	return strconv.Atoi(string(m[1]))
}

// FromPages makes a document of the OCR of all pages in their order.
func FromPages(id string, pages [][]byte, r Record, opts Options) (commonplace.Document, error) {
	scans := make([]scan, len(pages))
	for i, raw := range pages {
		scans[i] = scan{commonplace.Page{Sequence: int64(i + 1)}, raw}
	}
	return ofScans(id, scans, r, opts)
}

// Credentials sign requests as OAuth 1.0 does without a token (RFC 5849, 3.4).
type Credentials struct{ Key, Secret string }

// Sign gives the query of a signed GET request for an address. Nothing of it may
// be kept.
func (c Credentials) Sign(address *url.URL) string {
	nonce := make([]byte, 16)
	rand.Read(nonce)
	return c.sign(address, hex.EncodeToString(nonce), time.Now())
}

func (c Credentials) sign(address *url.URL, nonce string, now time.Time) string {
	params := address.Query()
	params.Set("oauth_consumer_key", c.Key)
	params.Set("oauth_nonce", nonce)
	params.Set("oauth_signature_method", "HMAC-SHA1")
	params.Set("oauth_timestamp", strconv.FormatInt(now.Unix(), 10))
	params.Set("oauth_version", "1.0")
	var pairs []string
	for name, values := range params {
		for _, v := range values {
			pairs = append(pairs, escape(name)+"="+escape(v))
		}
	}
	slices.Sort(pairs)
	query := strings.Join(pairs, "&")
	base := "GET&" + escape(strings.ToLower(address.Scheme)+"://"+strings.ToLower(address.Host)+address.EscapedPath()) + "&" + escape(query)
	mac := hmac.New(sha1.New, []byte(escape(c.Secret)+"&"))
	mac.Write([]byte(base))
	return query + "&oauth_signature=" + escape(base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

// escapePath leaves what ids have and paths may have as it is: servers refuse a
// slash that is written as octets.
func escapePath(id string) string {
	return strings.NewReplacer("%3A", ":", "%2F", "/", "%24", "$", "%2B", "+", "%3D", "=", "%2C", ",").Replace(escape(id))
}

// escape writes all but unreserved characters as octets (RFC 5849, 3.6).
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
