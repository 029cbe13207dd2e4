package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
)

func readPostprocessor(raw json.RawMessage, vocabulary map[string]int32) (postprocessor, error) {
	p := postprocessor{single: plainSingle, pair: plainPair}
	return p, p.read(raw, vocabulary)
}

func (p *postprocessor) read(raw json.RawMessage, vocabulary map[string]int32) error {
	if null(raw) {
		return nil
	}
	kind, err := readType("post_processor", raw)
	if err != nil {
		return err
	}
	f := struct {
		Processors     []json.RawMessage  `json:"processors"`
		Single         []templatePiece    `json:"single"`
		Pair           []templatePiece    `json:"pair"`
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
		for _, q := range f.Processors {
			if err := p.read(q, vocabulary); err != nil {
				return err
			}
		}
	case "TemplateProcessing":
		if p.single, err = readTemplate(f.Single, f.SpecialTokens); err != nil {
			return err
		}
		p.pair, err = readTemplate(f.Pair, f.SpecialTokens)
		return err
	case "BertProcessing":
		p.single = []slot{one(f.Cls.id, 0), {sequence: 0}, one(f.Sep.id, 0)}
		p.pair = []slot{one(f.Cls.id, 0), {sequence: 0}, one(f.Sep.id, 0), {sequence: 1, typeID: 1}, one(f.Sep.id, 1)}
	case "RobertaProcessing":
		p.single = []slot{one(f.Cls.id, 0), {sequence: 0}, one(f.Sep.id, 0)}
		p.pair = []slot{one(f.Cls.id, 0), {sequence: 0}, one(f.Sep.id, 0), one(f.Sep.id, 0), {sequence: 1}, one(f.Sep.id, 0)}
		if orTrue(f.TrimOffsets) {
			p.trims = append(p.trims, newTrimmer(orTrue(f.AddPrefixSpace), vocabulary))
		}
	case "ByteLevel":
		if orTrue(f.TrimOffsets) {
			p.trims = append(p.trims, newTrimmer(orTrue(f.AddPrefixSpace), vocabulary))
		}
	default:
		return fmt.Errorf("post_processor %q is not supported", kind)
	}
	return nil
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
		if id < 0 {
			continue
		}
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
		if n, ok := both[1].(float64); ok {
			t.id = int32(n)
			return nil
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

func readTemplate(pieces []templatePiece, specials map[string]special) ([]slot, error) {
	var out []slot
	for _, p := range pieces {
		switch {
		case p.Sequence != nil && p.Sequence.ID == "A":
			out = append(out, slot{sequence: 0, typeID: p.Sequence.TypeID})
		case p.Sequence != nil && p.Sequence.ID == "B":
			out = append(out, slot{sequence: 1, typeID: p.Sequence.TypeID})
		case p.SpecialToken != nil:
			s, ok := specials[p.SpecialToken.ID]
			if !ok {
				return nil, fmt.Errorf("post_processor TemplateProcessing: no special token %q", p.SpecialToken.ID)
			}
			out = append(out, slot{-1, s.IDs, p.SpecialToken.TypeID})
		default:
			return nil, errors.New("post_processor TemplateProcessing: a piece is neither a sequence nor a special token")
		}
	}
	return out, nil
}
