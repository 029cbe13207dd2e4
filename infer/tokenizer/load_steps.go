package tokenizer

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/commonplace/commonplace/infer/tokenizer/internal/tokenfile"
)

// stepReader reads the steps of a file, and counts what they are together.
type stepReader struct {
	steps       int // of all Sequences
	around      int // Sequences around the step that is read
	expressions int // the size of all regular expressions
	literals    int // the characters of all other patterns
}

// mostLiterals is more than any tokenizer in use looks for.
const mostLiterals = 1 << 16

// sequence decodes the steps of a Sequence, and counts them. The caller reads them, and
// then takes the Sequence out of around.
func (r *stepReader) sequence(list json.RawMessage) ([]json.RawMessage, error) {
	if err := tokenfile.CheckNesting(r.around); err != nil {
		return nil, err
	}
	steps, err := tokenfile.Elements[json.RawMessage](list, tokenfile.MostSteps)
	if err != nil {
		return nil, err
	}
	if r.steps += len(steps); r.steps > tokenfile.MostSteps {
		return nil, fmt.Errorf("its Sequences have more than %d steps together", tokenfile.MostSteps)
	}
	r.around++
	return steps, nil
}

func (r *stepReader) normalizer(raw json.RawMessage) (normalizer, error) {
	if tokenfile.Null(raw) {
		return nil, nil
	}
	kind, err := tokenfile.Type("normalizer", raw)
	if err != nil {
		return nil, err
	}
	var f struct {
		Normalizers json.RawMessage `json:"normalizers"`
		Clean       bool            `json:"clean_text"`
		Chinese     bool            `json:"handle_chinese_chars"`
		Accents     *bool           `json:"strip_accents"`
		Lower       bool            `json:"lowercase"`
		Left        bool            `json:"strip_left"`
		Right       bool            `json:"strip_right"`
		Prepend     string          `json:"prepend"`
		Content     string          `json:"content"`
		Pattern     json.RawMessage `json:"pattern"`
		Charsmap    string          `json:"precompiled_charsmap"`
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, fmt.Errorf("normalizer %s: %w", kind, err)
	}
	switch kind {
	case "Sequence":
		list, err := r.sequence(f.Normalizers)
		if err != nil {
			return nil, fmt.Errorf("normalizer Sequence: %w", err)
		}
		defer func() { r.around-- }()
		var all normalizers
		for _, one := range list {
			n, err := r.normalizer(one)
			if err != nil {
				return nil, err
			}
			if n != nil { // null is no step
				all = append(all, n)
			}
		}
		return all, nil
	case "BertNormalizer":
		accents := f.Lower // the reference's default: as lowercase
		if f.Accents != nil {
			accents = *f.Accents
		}
		return bertNormalizer{f.Clean, f.Chinese, accents, f.Lower}, nil
	case "Lowercase":
		return lowercase{}, nil
	case "StripAccents":
		return stripAccents{}, nil
	case "Strip":
		return strip{f.Left, f.Right}, nil
	case "Prepend":
		return prepend(f.Prepend), nil
	case "NFD", "NFKD":
		return decompose{canonical: kind == "NFD"}, nil
	case "NFC", "NFKC":
		return compose{canonical: kind == "NFC"}, nil
	case "ByteLevel":
		return byteNormalizer{}, nil
	case "Replace":
		p, err := r.pattern(f.Pattern)
		if err != nil {
			return nil, fmt.Errorf("normalizer Replace: %w", err)
		}
		return replacement{p, f.Content}, nil
	case "Precompiled":
		p, err := newPrecompiled(f.Charsmap)
		if err != nil {
			return nil, fmt.Errorf("normalizer Precompiled: its table cannot be read: %w", err)
		}
		return p, nil
	}
	return nil, fmt.Errorf("normalizer %q is not supported", kind)
}

func (r *stepReader) pattern(raw json.RawMessage) (pattern, error) {
	var f struct{ String, Regex *string }
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, fmt.Errorf("pattern: %w", err)
	}
	switch {
	case f.String != nil:
		p := newLiteral(*f.String)
		if r.literals += len(p.text); r.literals > mostLiterals {
			return nil, fmt.Errorf("its patterns have more than %d characters together", mostLiterals)
		}
		return p, nil
	case f.Regex != nil:
		p, err := newExpression(*f.Regex)
		if e, ok := p.(expression); ok {
			r.expressions += e.size
		}
		if err == nil && r.expressions > mostExpressions {
			err = fmt.Errorf("its regular expressions are too large together, which is not supported")
		}
		return p, err
	}
	return nil, fmt.Errorf("pattern %s is not supported", raw)
}

func (r *stepReader) presplitter(raw json.RawMessage) (presplitter, error) {
	if tokenfile.Null(raw) {
		return nil, nil
	}
	kind, err := tokenfile.Type("pre_tokenizer", raw)
	if err != nil {
		return nil, err
	}
	f := struct {
		Pretokenizers  json.RawMessage `json:"pretokenizers"`
		AddPrefixSpace *bool           `json:"add_prefix_space"`
		UseRegex       *bool           `json:"use_regex"`
		Replacement    string          `json:"replacement"`
		PrependScheme  string          `json:"prepend_scheme"`
		Split          *bool           `json:"split"`
		Behavior       string          `json:"behavior"`
		Individual     bool            `json:"individual_digits"`
		Delimiter      string          `json:"delimiter"`
		Pattern        json.RawMessage `json:"pattern"`
		Invert         bool            `json:"invert"`
	}{}
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, fmt.Errorf("pre_tokenizer %s: %w", kind, err)
	}
	orTrue := func(b *bool) bool { return b == nil || *b }
	switch kind {
	case "Sequence":
		list, err := r.sequence(f.Pretokenizers)
		if err != nil {
			return nil, fmt.Errorf("pre_tokenizer Sequence: %w", err)
		}
		defer func() { r.around-- }()
		var all presplitters
		for _, one := range list {
			p, err := r.presplitter(one)
			if err != nil {
				return nil, err
			}
			if p != nil { // null is no step
				all = append(all, p)
			}
		}
		return all, nil
	case "BertPreTokenizer":
		return bertWords{}, nil
	case "ByteLevel":
		return byteLevel{orTrue(f.AddPrefixSpace), orTrue(f.UseRegex)}, nil
	case "Whitespace":
		return eachPart(wordsAndRest), nil
	case "WhitespaceSplit":
		return spaceSplit{}, nil
	case "Digits":
		return byDigits(f.Individual), nil
	case "Metaspace":
		mark, size := utf8.DecodeRuneInString(f.Replacement)
		if size == 0 || size < len(f.Replacement) {
			return nil, fmt.Errorf("pre_tokenizer Metaspace: replacement %q is not one character", f.Replacement)
		}
		m := metaspace{mark, f.PrependScheme, orTrue(f.Split)}
		if m.prepend == "" { // files of old versions say it otherwise
			m.prepend = "always"
			if !orTrue(f.AddPrefixSpace) {
				m.prepend = "never"
			}
		}
		return m, nil
	case "CharDelimiterSplit":
		c, _ := utf8.DecodeRuneInString(f.Delimiter)
		return byCharacter(c), nil
	case "Punctuation":
		if f.Behavior == "" {
			f.Behavior = "Isolated"
		}
		b, err := readBehaviour(f.Behavior)
		return byPunctuation(b), err
	case "Split":
		p, err := r.pattern(f.Pattern)
		if err != nil {
			return nil, fmt.Errorf("pre_tokenizer Split: %w", err)
		}
		if f.Invert {
			p = inverted{p}
		}
		b, err := readBehaviour(f.Behavior)
		return byPattern(p, b), err
	}
	return nil, fmt.Errorf("pre_tokenizer %q is not supported", kind)
}

func readBehaviour(name string) (behaviour, error) {
	for b, n := range []string{"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"} {
		if n == name {
			return behaviour(b), nil
		}
	}
	return 0, fmt.Errorf("split behavior %q is not supported", name)
}
