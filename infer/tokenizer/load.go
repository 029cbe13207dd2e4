package tokenizer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/infer/tokenizer/internal/tokenfile"
	"github.com/commonplace/commonplace/infer/tokenizer/subword"
)

// Open reads a tokenizer.json. Its errors name the file and what it asks for
// that is not supported.
func Open(path string) (*Tokenizer, error) {
	f, _, err := bounded.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// file is tokenizer.json.
type file struct {
	Truncation    *truncationJSON `json:"truncation"`
	Padding       *paddingJSON    `json:"padding"`
	AddedTokens   json.RawMessage `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Model         json.RawMessage `json:"model"`
}

type truncationJSON struct {
	Direction string `json:"direction"`
	MaxLength int    `json:"max_length"`
	Strategy  string `json:"strategy"`
	Stride    int    `json:"stride"`
}

type paddingJSON struct {
	Strategy  json.RawMessage `json:"strategy"`
	Direction string          `json:"direction"`
	Multiple  int             `json:"pad_to_multiple_of"`
	ID        int64           `json:"pad_id"`
	TypeID    int64           `json:"pad_type_id"`
}

// Read reads a tokenizer.json.
func Read(r io.Reader) (*Tokenizer, error) {
	if errClasses != nil {
		return nil, errClasses
	}
	var f file
	most := bounded.Defaults().Settings
	raw, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err == nil && int64(len(raw)) > most:
		err = bounded.Over("settings", most, "it has more than %d bytes", most)
	case err == nil:
		err = bounded.CheckDepth(raw, bounded.Limits{})
	}
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(raw)).Decode(&f)
	}
	if err != nil {
		return nil, fmt.Errorf("not a tokenizer.json: %w", err)
	}
	t := &Tokenizer{}
	if t.model, t.vocabulary, err = subword.Read(f.Model); err != nil {
		return nil, err
	}
	if err := tokenfile.CheckVocabulary(t.vocabulary); err != nil {
		return nil, err
	}
	var steps stepReader
	if t.normalizer, err = steps.normalizer(f.Normalizer); err != nil {
		return nil, err
	}
	if t.presplit, err = steps.presplitter(f.PreTokenizer); err != nil {
		return nil, err
	}
	if err := checkGrowth(t.normalizer, t.presplit); err != nil {
		return nil, err
	}
	if t.post, err = readPostprocessor(f.PostProcessor, t.vocabulary); err != nil {
		return nil, err
	}
	if t.Truncation, err = readTruncation(f.Truncation); err != nil {
		return nil, err
	}
	if t.Padding, err = readPadding(f.Padding); err != nil {
		return nil, err
	}
	if err := t.addTokens(f.AddedTokens); err != nil {
		return nil, err
	}
	t.encoders = newPool()
	t.fast = newShortcut(t)
	return t, nil
}

// mostPatterns is how many characters the added tokens may have, as the normalizer writes
// them. It may write 2,000 for one.
const mostPatterns = 1 << 20

func (t *Tokenizer) addTokens(list json.RawMessage) error {
	tokens, err := tokenfile.Elements[addedToken](list, tokenfile.MostAdded)
	if err != nil {
		return fmt.Errorf("added_tokens: %w", err)
	}
	var held tokenfile.TokenBytes
	var raw, normalised []addedToken
	made, growth := 0, ofNormalizer(t.normalizer)
	for _, a := range tokens {
		if err := tokenfile.CheckID(a.Content, int64(a.ID)); err != nil {
			return err
		}
		if err := held.Take(a.Content); err != nil {
			return fmt.Errorf("added_tokens: %w", err)
		}
		t.vocabulary[a.Content] = a.ID
		pattern := newAligned(a.Content, 0)
		if a.Normalized && t.normalizer != nil {
			if most := growth * pattern.len(); most > mostPatterns {
				return fmt.Errorf("added_tokens: the normalizer can make %d characters of the token %.60q, expected at most %d", most, a.Content, mostPatterns)
			}
			t.normalizer.normalize(pattern)
		}
		a.pattern = pattern.runes
		if made += len(a.pattern); made > mostPatterns {
			return fmt.Errorf("added_tokens: the normalizer makes more than %d characters of the tokens", mostPatterns)
		}
		if a.Normalized {
			normalised = append(normalised, a)
		} else {
			raw = append(raw, a)
		}
	}
	t.raw, t.normalised = newAddedTokens(raw), newAddedTokens(normalised)
	return nil
}

// mostPadding is more ids than any model takes at once.
const mostPadding = 1 << 20

func readTruncation(f *truncationJSON) (*Truncation, error) {
	if f == nil {
		return nil, nil
	}
	if f.MaxLength < 0 {
		return nil, fmt.Errorf("truncation to %d ids is not supported", f.MaxLength)
	}
	t := &Truncation{Max: f.MaxLength, Left: f.Direction == "Left"}
	switch f.Strategy {
	case "LongestFirst", "":
	case "OnlyFirst":
		t.Strategy = OnlyFirst
	case "OnlySecond":
		t.Strategy = OnlySecond
	default:
		return nil, fmt.Errorf("truncation strategy %q is not supported", f.Strategy)
	}
	return t, nil
}

func readPadding(f *paddingJSON) (*Padding, error) {
	if f == nil {
		return nil, nil
	}
	p := &Padding{MultipleOf: f.Multiple, ID: f.ID, Type: f.TypeID, Left: f.Direction == "Left"}
	var fixed struct{ Fixed *int }
	if json.Unmarshal(f.Strategy, &fixed) == nil && fixed.Fixed != nil {
		p.Length = *fixed.Fixed
	} else if s := string(f.Strategy); s != `"BatchLongest"` {
		return nil, fmt.Errorf("padding strategy %.60q is not supported", s)
	}
	if p.Length < 0 || p.Length > mostPadding || p.MultipleOf < 0 || p.MultipleOf > mostPadding {
		return nil, fmt.Errorf("padding to %d ids, or a multiple of %d, is not supported: at most %d", p.Length, p.MultipleOf, mostPadding)
	}
	return p, tokenfile.CheckID("padding", p.ID)
}

func newPool() *sync.Pool { return &sync.Pool{New: func() any { return new(encoder) }} }
