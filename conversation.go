package commonplace

// Conversation is turns in order, up to where a quotation is used (when and
// what to quote, section 3). It is a row of the table conversations.
type Conversation struct {
	ID        string   `parquet:"conversation_id" json:"conversation_id" doc:"id in the source"`
	Turns     []string `parquet:"turns,list" json:"turns" doc:"what was said before the quotation, one text a turn"`
	Quotation string   `parquet:"quotation" json:"quotation" doc:"the quotation that was used"`
}

// Reply is one example of when and what to quote: what was said, and how it
// went on. It is a row of the table replies.
type Reply struct {
	ID             string   `parquet:"reply_id" json:"reply_id" doc:"conversation_id, and for ordinary sentences #, the turn and the first unit, from 0"`
	ConversationID string   `parquet:"conversation_id" json:"conversation_id" doc:"conversation that it is of"`
	Turns          []string `parquet:"turns,list" json:"turns" doc:"the turns before the target; the last one may be incomplete"`
	Target         string   `parquet:"target" json:"target" doc:"what follows the turns: the quotation, one sentence, or up to four words"`
	Label          string   `parquet:"label" json:"label" doc:"<quo> when the target is a quotation, <gen> otherwise"`
	Quotation      int64    `parquet:"quotation" json:"quotation" doc:"number of the quotation in the list of all quotations of the training split, from 0; -1 for <gen>"`
	Input          string   `parquet:"input" json:"input" doc:"the turns with <eos> after each, then <mask>"`
	Output         string   `parquet:"output" json:"output" doc:"label, one space, target"`
	Group          string   `parquet:"group" json:"group" doc:"first conversation_id, in alphabetical order, of the conversations with nearly the same words; its own if there is no other"`
	Split          string   `parquet:"split" json:"split" doc:"train, validation or test, by group"`
}
