package config

// Guard says how much may be gone.
type Guard struct {
	Documents     float64 `yaml:"documents" doc:"a build is refused when more than this fraction of one source's documents, or of all documents, is missing"`
	Quotes        float64 `yaml:"quotes" doc:"the same of the entries of a quote list, or of the file of label.queries.given"`
	Spans         float64 `yaml:"spans" doc:"the same of the lines of a file of spans"`
	Counts        float64 `yaml:"counts" doc:"the same of the lines of a file of counts that have one"`
	Conversations float64 `yaml:"conversations" doc:"the same of the lines of a file of conversations"`
	Alignments    float64 `yaml:"alignments" doc:"nothing is changed when more than this fraction of all alignments is missing, with the same settings, sources and lists"`
	Unreadable    float64 `yaml:"unreadable" doc:"a build is refused when more than this fraction of all documents could be read before and cannot be read now. Up to it, each keeps its row"`
	Passages      float64 `yaml:"passages" doc:"nothing is changed when more than this fraction of all passages is missing, with the same segmenter and sources"`
}

func defaultGuard() Guard {
	return Guard{Documents: 0.05, Quotes: 0.1, Spans: 0.1, Counts: 0.1, Conversations: 0.1, Passages: 0.05, Alignments: 0.2, Unreadable: 0.01}
}

// Limit is the share that may be gone of a table's inputs, or of what else is counted.
func (g Guard) Limit(of string) float64 {
	return map[string]float64{"documents": g.Documents, "quotes": g.Quotes, "spans": g.Spans, "counts": g.Counts, "conversations": g.Conversations, "passages": g.Passages, "alignments": g.Alignments}[of]
}
