package commonplace

// Cluster is one document's copy of a passage that several documents have. The copies of
// one passage are one cluster: each is matched with another of them, directly or through
// others. It is a row of the table clusters.
type Cluster struct {
	Cluster      string  `parquet:"cluster" json:"cluster" doc:"name of the cluster: doc_id:begin-end of its first copy, by date and then by doc_id"`
	Documents    int64   `parquet:"documents" json:"documents" doc:"documents that have a copy"`
	Copies       int64   `parquet:"copies" json:"copies" doc:"copies, which may be several in one document"`
	DocID        string  `parquet:"doc_id" json:"doc_id" doc:"document of this copy"`
	Begin        int64   `parquet:"begin" json:"begin" doc:"first code point of the copy in documents.text"`
	End          int64   `parquet:"end" json:"end" doc:"code point after the last"`
	Text         string  `parquet:"text" json:"text" doc:"documents.text[begin:end]"`
	Date         string  `parquet:"date" json:"date" doc:"documents.date"`
	Author       string  `parquet:"author" json:"author" doc:"documents.author"`
	Metadata     []Field `parquet:"metadata,list" json:"metadata,omitempty" doc:"the fields of the document that align.metadata names, in that order, where it has them"`
	LikelySource bool    `parquet:"likely_source" json:"likely_source" doc:"the others probably come from this copy; at most one copy of a cluster"`
	SourceBy     string  `parquet:"source_by" json:"source_by" doc:"why it is the likely source: date (older than every other document), first date (the oldest date, but another document has none or may be as old), date and wording (several documents have the oldest date; of these its words are most like those of the others), first date and wording (the same, but yet another document has no date or may be as old) or wording (no dates; its words are most like those of the others). undecided: this copy and the others marked so are equally likely. Else empty"`
	FromID       string  `parquet:"from_id" json:"from_id" doc:"document of the earlier copy that this one is matched with and most like, from which it was probably copied; empty if it is matched with none. A copy is earlier if its date is earlier, or if it is the likely source. Copies without a date count as later than those with one"`
	FromBegin    int64   `parquet:"from_begin" json:"from_begin" doc:"first code point of the matched words in that document"`
	FromEnd      int64   `parquet:"from_end" json:"from_end" doc:"code point after the last"`
}

// Values of [Cluster.SourceBy].
const (
	ByDate                = "date"
	ByFirstDate           = "first date"
	ByDateAndWording      = "date and wording"
	ByFirstDateAndWording = "first date and wording"
	ByWording             = "wording"
	Undecided             = "undecided" // nothing tells between several copies
)

// SourceBys are all values of [Cluster.SourceBy] but the empty one.
var SourceBys = []string{ByDate, ByFirstDate, ByDateAndWording, ByFirstDateAndWording, ByWording, Undecided}
