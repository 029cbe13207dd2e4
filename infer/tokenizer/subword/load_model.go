package subword

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/commonplace/commonplace/infer/tokenizer/internal/tokenfile"
)

// Read reads the part model of a tokenizer.json, and gives its vocabulary.
func Read(raw json.RawMessage) (Model, map[string]int32, error) {
	if tokenfile.Null(raw) {
		return nil, nil, errors.New("there is no model")
	}
	kind, err := tokenfile.Type("model", raw)
	if err != nil {
		return nil, nil, err
	}
	var common struct {
		Vocab  json.RawMessage `json:"vocab"`
		Merges json.RawMessage `json:"merges"`
	}
	if err := json.Unmarshal(raw, &common); err != nil {
		return nil, nil, fmt.Errorf("model: %w", err)
	}
	if kind == "" { // files of old versions name no type
		switch {
		case len(common.Merges) > 0:
			kind = "BPE"
		case len(common.Vocab) > 0 && common.Vocab[0] == '[':
			kind = "Unigram"
		default:
			kind = "WordPiece"
		}
	}
	if kind == "Unigram" {
		return readUnigram(raw)
	}
	vocabulary := map[string]int32{}
	if err := json.Unmarshal(common.Vocab, &vocabulary); err != nil {
		return nil, nil, fmt.Errorf("model.vocab: %w", err)
	}
	var m Model
	switch kind {
	case "WordPiece":
		m, err = readWordPiece(raw, vocabulary)
	case "BPE":
		m, err = readBPE(raw, common.Merges, vocabulary)
	case "WordLevel":
		m, err = readWordLevel(raw, vocabulary)
	default:
		err = fmt.Errorf("model %q is not supported", kind)
	}
	return m, vocabulary, err
}

func unknownID(vocabulary map[string]int32, token *string) (int32, error) {
	if token == nil {
		return -1, nil
	}
	id, ok := vocabulary[*token]
	if !ok {
		return -1, fmt.Errorf("the token for unknown words, %q, is not in the vocabulary", *token)
	}
	return id, nil
}

func readWordPiece(raw json.RawMessage, vocabulary map[string]int32) (Model, error) {
	f := struct {
		Unknown string `json:"unk_token"`
		Prefix  string `json:"continuing_subword_prefix"`
		Maximum int    `json:"max_input_chars_per_word"`
	}{"[UNK]", "##", 100}
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	id, err := unknownID(vocabulary, &f.Unknown)
	if err != nil {
		return nil, err
	}
	return newWordPiece(vocabulary, f.Prefix, id, f.Maximum), nil
}

func readWordLevel(raw json.RawMessage, vocabulary map[string]int32) (Model, error) {
	f := struct {
		Unknown string `json:"unk_token"`
	}{"<unk>"}
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	id, err := unknownID(vocabulary, &f.Unknown)
	return &wordLevel{vocabulary, id}, err
}

func readBPE(raw, mergesRaw json.RawMessage, vocabulary map[string]int32) (Model, error) {
	var f struct {
		Dropout      *float64 `json:"dropout"`
		Unknown      *string  `json:"unk_token"`
		Prefix       string   `json:"continuing_subword_prefix"`
		Suffix       string   `json:"end_of_word_suffix"`
		FuseUnknown  bool     `json:"fuse_unk"`
		ByteFallback bool     `json:"byte_fallback"`
		IgnoreMerges bool     `json:"ignore_merges"`
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if f.Dropout != nil && *f.Dropout > 0 {
		return nil, errors.New("model.dropout is not supported: it makes ids a matter of chance")
	}
	if f.ByteFallback && f.Prefix+f.Suffix != "" {
		return nil, errors.New("model.byte_fallback with continuing_subword_prefix or end_of_word_suffix is not supported: their bytes would become ids of each character")
	}
	var held tokenfile.TokenBytes // both are put to a character before it is looked up
	if err := cmp.Or(held.Take(f.Prefix), held.Take(f.Suffix)); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	unknown, err := unknownID(vocabulary, f.Unknown)
	if err != nil {
		return nil, err
	}
	m := &bpe{vocabulary: vocabulary, unknown: unknown, fuse: f.FuseUnknown, prefix: f.Prefix, suffix: f.Suffix, fallback: f.ByteFallback, wholeWords: f.IgnoreMerges}
	merges, err := readMerges(mergesRaw)
	if err != nil {
		return nil, err
	}
	return m, m.addMerges(merges)
}

// readMerges takes both forms: pairs, and lines with one space.
func readMerges(raw json.RawMessage) ([][2]string, error) {
	var pairs [][2]string
	if json.Unmarshal(raw, &pairs) == nil {
		return pairs, nil
	}
	var lines []string
	if err := json.Unmarshal(raw, &lines); err != nil {
		return nil, fmt.Errorf("model.merges: %w", err)
	}
	pairs = pairs[:0]
	for i, line := range lines {
		space := -1
		for k := range len(line) {
			if line[k] == ' ' {
				if space >= 0 {
					return nil, fmt.Errorf("model.merges: line %d, %q, has more than two parts", i, line)
				}
				space = k
			}
		}
		if space < 0 {
			return nil, fmt.Errorf("model.merges: line %d, %q, has one part", i, line)
		}
		pairs = append(pairs, [2]string{line[:space], line[space+1:]})
	}
	return pairs, nil
}

func readUnigram(raw json.RawMessage) (Model, map[string]int32, error) {
	var f struct {
		Unknown      *int32          `json:"unk_id"`
		Vocab        json.RawMessage `json:"vocab"`
		ByteFallback bool            `json:"byte_fallback"`
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, nil, fmt.Errorf("model: %w", err)
	}
	vocab, err := tokenfile.Elements[[2]json.RawMessage](f.Vocab, tokenfile.LargestID+1)
	if err != nil {
		return nil, nil, fmt.Errorf("model.vocab: %w", err)
	}
	tokens, scores := make([]string, len(vocab)), make([]float64, len(vocab))
	var held tokenfile.TokenBytes
	for i, entry := range vocab {
		if err := cmp.Or(json.Unmarshal(entry[0], &tokens[i]), json.Unmarshal(entry[1], &scores[i])); err != nil {
			return nil, nil, fmt.Errorf("model.vocab, entry %d: %w", i, err)
		}
		// The trie is as deep as a token is long, and as large as all are.
		if err := held.Take(tokens[i]); err != nil {
			return nil, nil, fmt.Errorf("model.vocab, entry %d: %w", i, err)
		}
	}
	if f.Unknown == nil || *f.Unknown < 0 || int(*f.Unknown) >= len(tokens) {
		return nil, nil, errors.New("a Unigram model without unk_id is not supported")
	}
	m := newUnigram(tokens, scores, *f.Unknown, f.ByteFallback)
	return m, m.vocabulary, nil
}
