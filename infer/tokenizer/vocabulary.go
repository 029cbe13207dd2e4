package tokenizer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// What no vocabulary in use comes near. Tables by id and the trie of a Unigram
// model are as large as these allow, whatever a file says.
const (
	largestID    = 1<<22 - 1
	longestToken = 4096     // bytes
	mostBytes    = 16 << 20 // of all tokens
	mostAdded    = 1 << 16  // added tokens
	mostSteps    = 1000     // steps of a Sequence, pieces of a template
)

func checkID(token string, id int64) error {
	if id < 0 || id > largestID {
		return fmt.Errorf("the id %d of token %.60q lies outside 0 to %d", id, token, largestID)
	}
	return nil
}

// tokenBytes counts the bytes of a vocabulary's tokens.
type tokenBytes int

func (n *tokenBytes) take(token string) error {
	if len(token) > longestToken {
		return fmt.Errorf("the token %.60q has %d bytes, expected at most %d", token, len(token), longestToken)
	}
	if *n += tokenBytes(len(token)); *n > mostBytes {
		return fmt.Errorf("the tokens have more than %d bytes", mostBytes)
	}
	return nil
}

// checkVocabulary holds tokens to the limits, and ids to one token each.
func checkVocabulary(vocabulary map[string]int32) error {
	var held tokenBytes
	top := int32(-1)
	for token, id := range vocabulary {
		if err := checkID(token, int64(id)); err != nil {
			return err
		}
		if err := held.take(token); err != nil {
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

// eachElement decodes a JSON list one by one: a short text can be a list of very
// many empty values.
func eachElement[T any](raw json.RawMessage, most int) ([]T, error) {
	if null(raw) {
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
