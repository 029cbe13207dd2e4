package config

// WithDefaults is a config whose sources and lists have the names of this one and whose
// every setting is the default: what an upgrade adds to settings that were kept.
func (c *Config) WithDefaults() *Config {
	d := Default()
	for _, s := range c.Sources {
		plain := defaultSource()
		plain.Name, plain.Kind = s.Name, s.Kind
		d.Sources = append(d.Sources, plain)
	}
	for _, q := range c.Quotes {
		d.Quotes = append(d.Quotes, QuoteList{Name: q.Name})
	}
	for _, s := range c.Spans {
		d.Spans = append(d.Spans, SpanFile{Name: s.Name})
	}
	for _, v := range c.Conversations {
		d.Conversations = append(d.Conversations, Conversations{Name: v.Name})
	}
	d.Label.Datasets, d.Score.Model = c.Label.Datasets, c.Score.Model
	return &d
}
