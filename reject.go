package commonplace

// Reject is input that a stage refused: in = out + rejected.
// It is a row of the table rejects.
type Reject struct {
	Stage    string `parquet:"stage" json:"stage" doc:"stage that refused it"`
	ID       string `parquet:"id" json:"id" doc:"id of what was refused, empty when it has none"`
	Reason   string `parquet:"reason" json:"reason" doc:"short reason, the same words for the same cause"`
	Detail   string `parquet:"detail" json:"detail" doc:"what exactly was wrong"`
	Location string `parquet:"location" json:"location" doc:"file, and line or entry where it has one"`
}
