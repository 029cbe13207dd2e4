// Package tokenfile reads parts of a tokenizer.json within limits.
package tokenfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// What no vocabulary in use comes near. Tables by id and the trie of a Unigram
// model are as large as these allow, whatever a file says.
const (
	LargestID    = 1<<22 - 1
	longestToken = 4096     // bytes
	mostBytes    = 16 << 20 // of all tokens
	MostAdded    = 1 << 16  // added tokens
	MostSteps    = 1000     // steps of a Sequence, pieces of a template
	mostNested   = 8        // Sequences in one another, each of which is decoded anew
)

// CheckNesting refuses a Sequence that is in so many others.
func CheckNesting(around int) error {
	if around >= mostNested {
		return fmt.Errorf("more than %d Sequences are in one another", mostNested)
	}
	return nil
}

// CheckID refuses ids that no vocabulary has.
func CheckID(token string, id int64) error {
	if id < 0 || id > LargestID {
		return fmt.Errorf("the id %d of token %.60q lies outside 0 to %d", id, token, LargestID)
	}
	return nil
}

// TokenBytes counts the bytes of a vocabulary's tokens.
type TokenBytes int

// Take counts a token, and refuses one that is too much.
func (n *TokenBytes) Take(token string) error {
	if len(token) > longestToken {
		return fmt.Errorf("the token %.60q has %d bytes, expected at most %d", token, len(token), longestToken)
	}
	if *n += TokenBytes(len(token)); *n > mostBytes {
		return fmt.Errorf("the tokens have more than %d bytes", mostBytes)
	}
	return nil
}

// CheckVocabulary checks tokens against the limits, and that an id has one token.
func CheckVocabulary(vocabulary map[string]int32) error {
	var held TokenBytes
	top := int32(-1)
	for token, id := range vocabulary {
		if err := CheckID(token, int64(id)); err != nil {
			return err
		}
		if err := held.Take(token); err != nil {
			return err
		}
		top = max(top, id)
	}
	seen, twice := make([]bool, top+1), top+1
	for _, id := range vocabulary {
		if seen[id] {
			twice = min(twice, id)
		}
		seen[id] = true
	}
	if twice > top {
		return nil
	}
	var tokens []string
	for token, id := range vocabulary {
		if id == twice {
			tokens = append(tokens, token)
		}
	}
	slices.Sort(tokens)
	return fmt.Errorf("the tokens %.60q and %.60q have the same id %d", tokens[0], tokens[1], twice)
}

// Elements decodes a JSON list one by one: a short text can be a list of very
// many empty values.
func Elements[T any](raw json.RawMessage, most int) ([]T, error) {
	if Null(raw) {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if first, err := d.Token(); err != nil {
		return nil, err
	} else if first != json.Delim('[') {
		return nil, fmt.Errorf("expected a list")
	}
	var list []T
	for d.More() {
		if len(list) == most {
			return nil, fmt.Errorf("a list has more than %d elements", most)
		}
		var one T
		if err := d.Decode(&one); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// Null says whether a part of the file is left out.
func Null(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// Type reads the type of a part of the file.
func Type(what string, raw json.RawMessage) (string, error) {
	var head struct{ Type *string }
	if err := json.Unmarshal(raw, &head); err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	if head.Type == nil {
		return "", nil
	}
	return *head.Type, nil
}
