package ranking

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// readsPositions copies a model, gives its tokenizer the tokens in place of its last
// words, and says in its manifest that it reads those of a genre.
func readsPositions(t *testing.T, head string, genre label.Genre, tokens ...string) string {
	t.Helper()
	folder := copyOfModel(t, "../../infer/testdata/models/"+head)
	editFile(t, filepath.Join(folder, infer.ManifestFile), func(raw []byte) []byte {
		return []byte(strings.Replace(string(raw), "tokens: {", fmt.Sprintf("tokens: {positional: %q, ", genre), 1))
	})
	editFile(t, filepath.Join(folder, infer.TokenizerFile), func(raw []byte) []byte {
		var file map[string]any
		if err := json.Unmarshal(raw, &file); err != nil {
			t.Fatal(err)
		}
		words := file["model"].(map[string]any)["vocab"].(map[string]any)
		byID := slices.SortedFunc(maps.Keys(words), func(a, b string) int { return int(words[b].(float64) - words[a].(float64)) })
		for i, token := range tokens {
			file["added_tokens"] = append(file["added_tokens"].([]any), map[string]any{"id": words[byID[i]], "content": token, "special": true, "normalized": false, "single_word": false, "lstrip": false, "rstrip": false})
			delete(words, byID[i])
		}
		raw, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	})
	return folder
}

func editFile(t *testing.T, path string, do func(raw []byte) []byte) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, do(raw), 0o666); err != nil {
		t.Fatal(err)
	}
}

// asWords makes the added tokens of a tokenizer words of its vocabulary, which it cuts at brackets.
func asWords(raw []byte) []byte {
	var file map[string]any
	if json.Unmarshal(raw, &file) != nil {
		return nil
	}
	words := file["model"].(map[string]any)["vocab"].(map[string]any)
	var left []any
	for _, token := range file["added_tokens"].([]any) {
		of := token.(map[string]any)
		if content := of["content"].(string); strings.ContainsAny(content, "-@") {
			words[content] = of["id"]
		} else {
			left = append(left, token)
		}
	}
	file["added_tokens"] = left
	raw, _ = json.Marshal(file)
	return raw
}

// A model that reads positional tokens gets each passage with those of the whole document,
// as the dataset counts has them.
func TestPassagesAreScoredWithTheirPositionalTokens(t *testing.T) {
	for _, head := range []string{"quotability", "quotability-sequence"} {
		t.Run(head, func(t *testing.T) {
			folder := readsPositions(t, head, label.Prose, infer.PositionalTokens("prose")...)
			m, err := infer.LoadModel(folder, infer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			c := pipelinetest.Demo(t)
			c.Score.Model, c.Score.Batch = folder, 3
			pipelinetest.Build(t, c)
			passages, rows := pipelinetest.Rows(t, c, table.Passages), pipelinetest.Rows(t, c, table.Scores)
			byDocument := map[string][]commonplace.Passage{}
			for _, p := range passages {
				byDocument[p.DocID] = append(byDocument[p.DocID], p)
			}
			got := map[string]commonplace.Score{}
			for _, s := range rows {
				got[s.PassageID] = s
			}
			differ := 0
			for _, of := range byDocument {
				texts, err := label.Marked(label.Prose, of, nil)
				if err != nil {
					t.Fatal(err)
				}
				bare, err := m.Score(t.Context(), of)
				if err != nil {
					t.Fatal(err)
				}
				marked := slices.Clone(of)
				for i := range marked {
					marked[i].Text = texts[i]
				}
				want, err := m.Score(t.Context(), marked)
				if err != nil {
					t.Fatal(err)
				}
				for i, s := range want {
					if g := got[s.PassageID]; g.Score != s.Score {
						t.Errorf("%s: %v, want %v", s.PassageID, g.Score, s.Score)
					}
					if s.Score != bare[i].Score {
						differ++
					}
				}
			}
			if differ == 0 || len(got) != len(passages) {
				t.Errorf("%d of %d passages have scores, %d other ones than without tokens", len(got), len(passages), differ)
			}
		})
	}
}

func TestPositionalTokensSayNothingOfSentences(t *testing.T) {
	c := pipelinetest.Demo(t)
	two := 2
	c.Score.Model, c.Score.Sentences = readsPositions(t, "quotability", label.Prose, infer.PositionalTokens("prose")...), &two
	err := engine.Build(t.Context(), engine.Request{Config: c})
	if err == nil || !strings.Contains(err.Error(), "score.sentences must be 0") {
		t.Error(err)
	}
}

// Package infer has the tokens that package label writes.
func TestTokensOfGenres(t *testing.T) {
	var all []commonplace.Passage
	for n := range 10 {
		p := commonplace.Passage{Text: "one", Index: int64(n), Begin: int64(4 * n), End: int64(4*n + 3)}
		for _, kind := range []string{commonplace.PlaceDocument, commonplace.PlaceAct, commonplace.PlaceScene, commonplace.PlaceChapter, commonplace.PlaceParagraph} {
			p.Places = append(p.Places, commonplace.Place{Kind: kind, Index: int64(n), Count: 10, Decile: int64(n), First: n == 0, Last: n == 9})
		}
		all = append(all, p)
	}
	for _, genre := range []label.Genre{label.Scripture, label.Drama, label.Prose, label.Latin} {
		texts, err := label.Marked(genre, all, label.Sections(genre, all))
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, text := range texts {
			want = append(want, slices.DeleteFunc(strings.Fields(text), func(word string) bool { return word == "one" })...)
		}
		got := infer.PositionalTokens(string(genre))
		slices.Sort(got)
		slices.Sort(want)
		if want = slices.Compact(want); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", genre, got, want)
		}
		m, err := infer.LoadModel(readsPositions(t, "quotability", genre, got...), infer.Options{})
		if err != nil {
			t.Errorf("%s: %v", genre, err)
			continue
		}
		m.Close()
		lacks := readsPositions(t, "quotability", genre, got[1:]...)
		for _, words := range []string{`"BertPreTokenizer"`, `"WhitespaceSplit"`} { // by the second, the token is one unknown word
			editFile(t, filepath.Join(lacks, infer.TokenizerFile), func(raw []byte) []byte {
				return []byte(strings.Replace(string(raw), `"BertPreTokenizer"`, words, 1))
			})
			if _, err := infer.LoadModel(lacks, infer.Options{}); err == nil || !strings.Contains(err.Error(), "has no token "+got[0]) {
				t.Errorf("%s, %s: %v", genre, words, err)
			}
		}
		pieces := readsPositions(t, "quotability", genre, got...)
		editFile(t, filepath.Join(pieces, infer.TokenizerFile), asWords)
		if _, err := infer.LoadModel(pieces, infer.Options{}); err == nil || !strings.Contains(err.Error(), " pieces: add it to the tokenizer") {
			t.Errorf("%s: %v", genre, err)
		}
	}
}

// Other models, also those without a tokenizer, get the passages as they are.
func TestPassagesWithoutPositionalTokens(t *testing.T) {
	passages := []commonplace.Passage{{Text: "one", Places: []commonplace.Place{{Kind: commonplace.PlaceDocument, First: true}}}}
	for _, head := range []string{"quotability", "features"} {
		m, err := infer.LoadModel("../../infer/testdata/models/"+head, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if got, err := withPositionalTokens(m, passages); err != nil || !reflect.DeepEqual(got, passages) {
			t.Errorf("%s: %v %v", head, got, err)
		}
	}
}

// Models of Latin read where sections begin, as their training data says.
func TestLatinModelsReadSections(t *testing.T) {
	m, err := infer.LoadModel(readsPositions(t, "quotability", label.Latin, infer.PositionalTokens(string(label.Latin))...), infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var passages []commonplace.Passage
	for n, text := range []string{"one", "two", "six"} {
		passages = append(passages, commonplace.Passage{Text: text, Index: int64(n), Begin: int64(4 * n), End: int64(4*n + 3), Places: []commonplace.Place{{Kind: commonplace.PlaceParagraph, Index: int64(n / 2)}}})
	}
	got, err := withPositionalTokens(m, passages)
	if err != nil || got[0].Text != "[Starts-Section] one" || got[1].Text != "two [Ends-Section]" || got[2].Text != "[Starts-Section] six [Ends-Section]" {
		t.Errorf("%+v, %v", got, err)
	}
}
