package commonplace

// Attribute compares the most quoted with the least quoted passages in one
// feature (content-based models of quotation, section 5 and Table 4). It is a
// row of the table attributes.
type Attribute struct {
	Name       string  `parquet:"feature" json:"feature" doc:"name of the feature"`
	Number     int64   `parquet:"number" json:"number" doc:"place of the feature in the table, from 0"`
	Arrows     string  `parquet:"arrows" json:"arrows" doc:"one to four arrows, for p < .05, .01, .001 and .0001; up if the most quoted passages have more of the feature; – if p is larger"`
	Most       float64 `parquet:"most" json:"most" doc:"mean over the most quoted fifth of the passages"`
	Least      float64 `parquet:"least" json:"least" doc:"mean over the least quoted fifth"`
	T          float64 `parquet:"t" json:"t" doc:"Welch's t; positive where the most quoted have more; 0 for another test"`
	P          float64 `parquet:"p" json:"p" doc:"two-sided p of the test, corrected by Bonferroni for the tests that were made, 0 to 1; 1 if none was made"`
	Test       string  `parquet:"test" json:"test" doc:"welch; fisher (exact) where every passage has the feature or has it not; none where no passage differs, or where either group has fewer than 30 passages"`
	MostCount  int64   `parquet:"most_count" json:"most_count" doc:"passages in the most quoted fifth"`
	AtLeast    int64   `parquet:"at_least" json:"at_least" doc:"least quote count among them"`
	LeastCount int64   `parquet:"least_count" json:"least_count" doc:"passages in the least quoted fifth"`
	AtMost     int64   `parquet:"at_most" json:"at_most" doc:"greatest quote count among them"`
}
