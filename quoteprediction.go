package commonplace

// QuotePrediction is whether a quotation follows a conversation, as a model predicts it
// (when and what to quote, section 3.2). It is a row of the table quote_predictions.
type QuotePrediction struct {
	ReplyID        string  `parquet:"reply_id" json:"reply_id" doc:"replies.reply_id: the turns up to its target were read"`
	ConversationID string  `parquet:"conversation_id" json:"conversation_id" doc:"replies.conversation_id"`
	Probability    float64 `parquet:"probability" json:"probability" doc:"p(<quo>) / (p(<quo>) + p(<gen>)) as the first token of what follows; above .5 the model predicts a quotation"`
	Label          string  `parquet:"label" json:"label" doc:"replies.label: <quo> when a quotation follows, <gen> otherwise"`
	Truncated      bool    `parquet:"truncated" json:"truncated" doc:"the turns were longer than the model's input and were truncated"`
	InSample       string  `parquet:"in_sample" json:"in_sample" doc:"yes: this conversation, or another edition of it, taught the model or chose its best epoch; no; or unknown: the model's folder does not say what taught it"`
	Split          string  `parquet:"split" json:"split" doc:"replies.split"`
}
