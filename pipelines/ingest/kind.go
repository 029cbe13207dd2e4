package ingest

import (
	"net/url"
	"path/filepath"

	"github.com/commonplace/commonplace/pipelines/config"
)

// kind is how one kind of source is listed and read. What a config says of the
// kind is under the same name in pipelines/config.
type kind struct {
	local  origin  // nil: it is always fetched
	remote network // nil: it is never fetched

	// sign adds credentials to the query of an address; nil: requests bear none.
	sign func(key, secret string, u *url.URL)
}

var kinds = map[string]kind{
	"articles":   {remote: articlesNetwork{}},
	"files":      {local: filesOrigin{}},
	"gutenberg":  {local: gutenbergOrigin{}, remote: gutenbergNetwork{}},
	"hathitrust": {local: hathitrustOrigin{}, remote: hathitrustNetwork{}, sign: signHathiTrust},
	"passages":   {local: passagesOrigin{}},
	"quotus":     {local: quotusOrigin{}},
	"warc":       {local: warcOrigin{}},
}

// originOf is the origin of a source's documents.
func originOf(c *config.Config, s config.Source) origin {
	k := kinds[s.Kind]
	if s.Fetched() {
		return networkOrigin{k.remote, filepath.Join(c.Out, config.ArchiveFolder)}
	}
	return k.local
}
