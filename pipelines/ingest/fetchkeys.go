package ingest

import (
	"bytes"
	"net/url"
	"os"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/fetch"
	"github.com/commonplace/commonplace/pipelines/config"
)

// keys name the environment variables of a source's credentials, never the
// credentials themselves: those are read where a request is signed, and stand in
// no config, record, message or table.
type keys struct {
	Source    string `json:"source"`
	Kind      string `json:"kind"`
	Authority string `json:"authority"` // that alone gets it
	Key       string `json:"key"`
	Secret    string `json:"secret"`
}

func keysOfSources(c *config.Config) []keys {
	var list []keys
	for _, s := range c.Sources {
		if s.Fetch.Key != "" && kinds[s.Kind].sign != nil {
			endpoint, err := crawl.ParseAddress(s.Fetch.Endpoint)
			if err != nil {
				continue // checkSources has refused it
			}
			list = append(list, keys{s.Name, s.Kind, endpoint.Authority(), s.Fetch.Key, s.Fetch.Secret})
		}
	}
	return list
}

// sign adds a source's credentials to a request for an address, if that is its
// endpoint's and not where a redirect has led.
func (t fetchTask) sign(source string, address crawl.Address, request *fetch.Request) {
	for _, k := range t.Keys {
		if k.Source != source || k.Authority != address.Authority() {
			continue
		}
		key, secret := os.Getenv(k.Key), os.Getenv(k.Secret)
		request.Sign = func(u *url.URL) { kinds[k.Kind].sign(key, secret, u) }
		request.Secrets = func(answer []byte) bool {
			for _, s := range []string{key, secret} {
				if s != "" && (bytes.Contains(answer, []byte(s)) || bytes.Contains(answer, []byte(url.QueryEscape(s)))) {
					return true
				}
			}
			return false
		}
	}
}
