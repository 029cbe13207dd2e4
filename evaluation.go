package commonplace

// Evaluation is one figure: how good a system is at a dataset, by one metric. It is a row
// of the table evaluations.
type Evaluation struct {
	Number     int64    `parquet:"number" json:"number" doc:"place in the table, from 0"`
	Dataset    string   `parquet:"dataset" json:"dataset" doc:"counts (rankings), triples, queries, windows or replies"`
	Split      string   `parquet:"split" json:"split" doc:"split of the contexts; all for rankings"`
	System     string   `parquet:"system" json:"system" doc:"what ranked: the model or recommend of the config, or a baseline"`
	Metric     string   `parquet:"metric" json:"metric" doc:"name of the metric"`
	Value      *float64 `parquet:"value" json:"value" doc:"its mean; shares of one, but for ranks. Null where it is defined for nothing"`
	Low        *float64 `parquet:"low" json:"low" doc:"lower end of its bootstrap interval"`
	High       *float64 `parquet:"high" json:"high" doc:"upper end"`
	N          int64    `parquet:"n" json:"n" doc:"documents or contexts that the mean is over"`
	P          *float64 `parquet:"p" json:"p" doc:"two-sided p that the system is as good as the first of its dataset and split; null there"`
	Test       string   `parquet:"test" json:"test" doc:"test that p is of: permutation (paired), paired t, or Mann-Whitney; as in the dataset's paper"`
	InSample   string   `parquet:"in_sample" json:"in_sample" doc:"empty, or why the figure says less: in sample, partly in sample, or not known to be held out (scores.in_sample, recommendations.in_sample)"`
	LeftOut    int64    `parquet:"left_out" json:"left_out" doc:"documents or contexts that taught a model, and are left out"`
	Paper      string   `parquet:"paper" json:"paper" doc:"row of the paper's table to stand beside; of other data, so it reminds of an order of magnitude"`
	PaperValue *float64 `parquet:"paper_value" json:"paper_value" doc:"what it has"`
}
