package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/commonplace/commonplace/infer/tokenizer/internal/tokenfile"
)

func readPostprocessor(raw json.RawMessage, vocabulary map[string]int32) (postprocessor, error) {
	p := postprocessor{single: plainSingle, pair: plainPair}
	return p, p.read(raw, vocabulary, 0)
}

// read reads a step that is in so many Sequences.
func (p *postprocessor) read(raw json.RawMessage, vocabulary map[string]int32, around int) error {
	if tokenfile.Null(raw) {
		return nil
	}
	kind, err := tokenfile.Type("post_processor", raw)
	if err != nil {
		return err
	}
	f := struct {
		Processors     json.RawMessage    `json:"processors"`
		Single         json.RawMessage    `json:"single"`
		Pair           json.RawMessage    `json:"pair"`
		SpecialTokens  map[string]special `json:"special_tokens"`
		Sep            tokenAndID         `json:"sep"`
		Cls            tokenAndID         `json:"cls"`
		TrimOffsets    *bool              `json:"trim_offsets"`
		AddPrefixSpace *bool              `json:"add_prefix_space"`
	}{}
	if err := json.Unmarshal(raw, &f); err != nil {
		return fmt.Errorf("post_processor %s: %w", kind, err)
	}
	orTrue := func(b *bool) bool { return b == nil || *b }
	one := func(id int32, typeID int32) slot { return slot{-1, []int32{id}, typeID} }
	switch kind {
	case "Sequence":
		if err := tokenfile.CheckNesting(around); err != nil {
			return fmt.Errorf("post_processor Sequence: %w", err)
		}
		list, err := tokenfile.Elements[json.RawMessage](f.Processors, tokenfile.MostSteps)
		if err != nil {
			return fmt.Errorf("post_processor Sequence: %w", err)
		}
		for _, q := range list {
			if err := p.read(q, vocabulary, around+1); err != nil {
				return err
			}
		}
	case "TemplateProcessing":
		if p.single, err = readTemplate(f.Single, f.SpecialTokens, 1); err == nil {
			p.pair, err = readTemplate(f.Pair, f.SpecialTokens, 2)
		}
		if err != nil {
			return fmt.Errorf("post_processor TemplateProcessing: %w", err)
		}
	case "BertProcessing":
		p.single = []slot{one(f.Cls.id, 0), {sequence: 0}, one(f.Sep.id, 0)}
		p.pair = []slot{one(f.Cls.id, 0), {sequence: 0}, one(f.Sep.id, 0), {sequence: 1, typeID: 1}, one(f.Sep.id, 1)}
	case "RobertaProcessing":
		p.single = []slot{one(f.Cls.id, 0), {sequence: 0}, one(f.Sep.id, 0)}
		p.pair = []slot{one(f.Cls.id, 0), {sequence: 0}, one(f.Sep.id, 0), one(f.Sep.id, 0), {sequence: 1}, one(f.Sep.id, 0)}
		if orTrue(f.TrimOffsets) {
			p.addTrimmer(orTrue(f.AddPrefixSpace), vocabulary)
		}
	case "ByteLevel":
		if orTrue(f.TrimOffsets) {
			p.addTrimmer(orTrue(f.AddPrefixSpace), vocabulary)
		}
	default:
		return fmt.Errorf("post_processor %q is not supported", kind)
	}
	return nil
}

// addTrimmer adds a trimmer. All share the tables, which are as long as the
// largest id.
func (p *postprocessor) addTrimmer(prefix bool, vocabulary map[string]int32) {
	if len(p.trims) > 0 {
		first := p.trims[0]
		p.trims = append(p.trims, trimmer{prefix, first.lead, first.trail})
		return
	}
	p.trims = append(p.trims, newTrimmer(prefix, vocabulary))
}

func newTrimmer(prefix bool, vocabulary map[string]int32) trimmer {
	size := int32(0)
	for _, id := range vocabulary {
		size = max(size, id+1)
	}
	t := trimmer{prefix, make([]int32, size), make([]int32, size)}
	for token, id := range vocabulary {
		runes := []rune(token)
		n := int32(len(runes))
		for t.lead[id] < n && isTokenSpace(runes[t.lead[id]]) {
			t.lead[id]++
		}
		for t.trail[id] < n && isTokenSpace(runes[n-1-t.trail[id]]) {
			t.trail[id]++
		}
	}
	return t
}

type special struct {
	IDs []int32 `json:"ids"`
}

// tokenAndID is ["</s>", 2].
type tokenAndID struct{ id int32 }

func (t *tokenAndID) UnmarshalJSON(data []byte) error {
	var both []any
	if err := json.Unmarshal(data, &both); err != nil {
		return err
	}
	if len(both) == 2 {
		token, _ := both[0].(string)
		if n, ok := both[1].(float64); ok {
			n = min(max(n, -1), tokenfile.LargestID+1)
			t.id = int32(n)
			return tokenfile.CheckID(token, int64(n))
		}
	}
	return errors.New("a token with its id is expected")
}

type templatePiece struct {
	Sequence *struct {
		ID     string `json:"id"`
		TypeID int32  `json:"type_id"`
	}
	SpecialToken *struct {
		ID     string `json:"id"`
		TypeID int32  `json:"type_id"`
	}
}

// readTemplate reads the template of one text or two. Each text stands in it once
// at most, and none that there is not.
func readTemplate(list json.RawMessage, specials map[string]special, texts int) ([]slot, error) {
	pieces, err := tokenfile.Elements[templatePiece](list, tokenfile.MostSteps)
	if err != nil {
		return nil, err
	}
	var out []slot
	var has [2]bool
	for _, p := range pieces {
		switch {
		case p.Sequence != nil && p.Sequence.ID == "A":
			out = append(out, slot{sequence: 0, typeID: p.Sequence.TypeID})
		case p.Sequence != nil && p.Sequence.ID == "B":
			out = append(out, slot{sequence: 1, typeID: p.Sequence.TypeID})
		case p.SpecialToken != nil:
			s, ok := specials[p.SpecialToken.ID]
			if !ok {
				return nil, fmt.Errorf("no special token %.60q", p.SpecialToken.ID)
			}
			for _, id := range s.IDs {
				if err := tokenfile.CheckID(p.SpecialToken.ID, int64(id)); err != nil {
					return nil, err
				}
			}
			out = append(out, slot{-1, s.IDs, p.SpecialToken.TypeID})
		default:
			return nil, errors.New("a piece is neither a sequence nor a special token")
		}
		if k := out[len(out)-1].sequence; k >= 0 {
			if k >= texts || has[k] {
				return nil, fmt.Errorf("sequence %.60q stands twice, or in the template of one text", p.Sequence.ID)
			}
			has[k] = true
		}
	}
	if n := added(out); n > tokenfile.MostSteps {
		return nil, fmt.Errorf("a template has %d special tokens, expected at most %d", n, tokenfile.MostSteps)
	}
	return out, nil
}
