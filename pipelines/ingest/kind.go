package ingest

import (
	"net/url"

	"github.com/commonplace/commonplace/pipelines/config"
)

// kind is how one kind of source is listed and read. What a config says of the
// kind is under the same name in pipelines/config.
type kind struct {
	local  sourceReader // nil: it is always fetched
	remote remoteSource // nil: it is never fetched

	// sign adds credentials to the query of an address; nil: requests bear none.
	sign func(key, secret string, u *url.URL)
}

var kinds = map[string]kind{
	"articles":   {remote: articlesRemote{}},
	"files":      {local: filesSource{}},
	"gutenberg":  {local: gutenbergSource{}, remote: gutenbergRemote{}},
	"hathitrust": {local: hathitrustSource{}, remote: hathitrustRemote{}, sign: signHathiTrust},
	"passages":   {local: passagesSource{}},
	"quotus":     {local: quotusSource{}},
	"warc":       {local: warcSource{}},
}

// sourceReaderOf is the source reader of a source's documents.
func sourceReaderOf(c *config.Config, s config.Source) sourceReader {
	k := kinds[s.Kind]
	if s.Fetched() {
		return archiveSource{k.remote, archiveFolder(c), c.Out}
	}
	return k.local
}
