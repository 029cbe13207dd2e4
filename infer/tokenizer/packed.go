package tokenizer

import "fmt"

// Packed says how much of each part [Tokenizer.EncodePacked] keeps, in ids.
type Packed struct {
	Title, Body, Passage int
	BodyStart            int64 // the token between title and body
}

// Ids is how many ids an input has at most, special tokens included.
func (t *Tokenizer) Ids(p Packed) int {
	return p.Title + 1 + p.Body + p.Passage + added(t.post.pair)
}

// EncodePacked is the ids of a title, the text that stands before a quotation, and a passage:
//
//	[CLS] title [body_start] body [SEP] passage [SEP]
//
// Each part is cut for itself, title and passage at their ends and the body at its beginning,
// so that what is nearest the quotation stays (Context-based quotation recommendation,
// "BERT Model Inputs"). The tokenizer's own truncation is not used. Spans are of the passage;
// Truncated says that the passage was cut.
func (t *Tokenizer) EncodePacked(e *Encoding, p Packed, title, body, passage string) error {
	c := t.encoders.Get().(*encoder)
	defer t.encoders.Put(c)
	e.reset()
	first, second := &c.sequences[0], &c.sequences[1]
	read := func(text string, into *sequence, most int, left bool) error {
		into.reset()
		if t.sequence(c, text, into); into.over != nil {
			return into.over
		}
		e.Truncated = len(into.ids) > most
		into.keep(min(len(into.ids), most), left)
		return nil
	}
	for i, part := range []string{title, body} {
		if err := read(part, second, []int{p.Title, p.Body}[i], i == 1); err != nil {
			return fmt.Errorf("%s: %w", []string{"title", "body"}[i], err)
		}
		if i == 0 {
			first.reset()
		} else {
			first.add(int32(p.BodyStart), 0, 0)
		}
		for _, id := range second.ids {
			first.add(id, 0, 0)
		}
	}
	if err := read(passage, second, p.Passage, false); err != nil {
		return err
	}
	t.fill(e, c.sequences[:2], t.post.pair)
	return nil
}
