package pipelines

import (
	"github.com/commonplace/commonplace/crawl/fetch"
)

// keys name the environment variables of a source's credentials, never the
// credentials themselves: those are read where a request is signed.
type keys struct {
	Source string `json:"source"`
	Key    string `json:"key"`
	Secret string `json:"secret"`
}

func keysOfSources(c *Config) []keys {
	var list []keys
	for _, s := range c.Sources {
		if s.Fetch.Key != "" {
			list = append(list, keys{s.Name, s.Fetch.Key, s.Fetch.Secret})
		}
	}
	return list
}

// sign adds a source's credentials to a request for it.
func (t fetchTask) sign(source string, ask *fetch.Ask) {
	if source == "" {
		return
	}
}
