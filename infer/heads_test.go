package infer

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

const tinyModels = "testdata/models"

// golden is what PyTorch says of a text (models/golden/tiny_models.py), decoded there in
// the plainest way.
type golden struct {
	Context   string    `json:"context"`
	Passage   string    `json:"passage"`
	Score     float64   `json:"score"`
	Line      *float64  `json:"line"` // of models that read neighbours
	Truncated bool      `json:"truncated"`
	Vector    []float64 `json:"vector"`
	Spans     [][3]float64
	Labels    []string
	Marginals []float64
	Tokens    [][2]int

	Yes               float64 // of seq2seq: the same model asked as head yes-no
	QuestionTruncated bool    `json:"question_truncated"`
}

func readGolden(t *testing.T, folder string) []golden {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(tinyModels, folder, "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []golden
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) < 3 {
		t.Fatalf("%d rows", len(rows))
	}
	return rows
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-4*max(1, math.Abs(b)) }

func pairsOf(rows []golden) []Pair {
	pairs := make([]Pair, len(rows))
	for i, r := range rows {
		pairs[i] = Pair{Context: r.Context, Passage: r.Passage}
	}
	return pairs
}

func TestQuotabilityEqualsPyTorch(t *testing.T) {
	for _, head := range []string{"quotability", "quotability-classes", "quotability-sequence", "quotability-lines"} {
		t.Run(head, func(t *testing.T) {
			m := load(t, filepath.Join(tinyModels, head))
			rows := readGolden(t, head)
			var passages []commonplace.Passage
			for i, r := range rows {
				passages = append(passages, commonplace.Passage{ID: commonplace.PassageID("d", int64(i)), DocID: "d", Text: r.Passage})
			}
			scores, err := m.Score(t.Context(), passages)
			if err != nil {
				t.Fatal(err)
			}
			sentences, err := m.ScoreSentences(t.Context(), passages)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range rows {
				if !near(scores[i].Score, r.Score) {
					t.Errorf("passage %d: score %v, PyTorch says %v", i, scores[i].Score, r.Score)
				}
				if r.Line == nil {
					r.Line = &scores[i].Score
				}
				if s := sentences[i]; s.Score != scores[i].Score || !near(s.Line, *r.Line) || s.Truncated != r.Truncated {
					t.Errorf("sentence %d: %+v, PyTorch says %v and %v", i, s, r.Score, *r.Line)
				}
				if scores[i].Truncated != r.Truncated {
					t.Errorf("passage %d: truncated %v", i, scores[i].Truncated)
				}
			}
		})
	}
}

func TestEmbedEqualsPyTorch(t *testing.T) {
	m := load(t, filepath.Join(tinyModels, "embed"))
	rows := readGolden(t, "embed")
	var texts []string
	for _, r := range rows {
		texts = append(texts, r.Passage)
	}
	vectors, truncated, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if truncated[i] != r.Truncated {
			t.Errorf("text %d: truncated %v", i, truncated[i])
		}
		for k, want := range r.Vector {
			if !near(float64(vectors[i][k]), want) {
				t.Fatalf("text %d: component %d is %v, PyTorch says %v", i, k, vectors[i][k], want)
			}
		}
	}
}

func TestSpansEqualPyTorch(t *testing.T) {
	m := load(t, filepath.Join(tinyModels, "span"))
	rows := readGolden(t, "span")
	spans, err := m.Spans(t.Context(), pairsOf(rows), 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if len(spans[i].Spans) != len(r.Spans) || spans[i].Truncated != r.Truncated {
			t.Fatalf("pair %d: %d spans, want %d; truncated %v, want %v", i, len(spans[i].Spans), len(r.Spans), spans[i].Truncated, r.Truncated)
		}
		for k, want := range r.Spans {
			got := spans[i].Spans[k]
			if got.Begin != int(want[0]) || got.End != int(want[1]) || !near(got.Score, want[2]) {
				t.Errorf("pair %d: span %d is %+v, PyTorch says %v", i, k, got, want)
			}
		}
	}
}

func TestTagEqualsEveryPathTried(t *testing.T) {
	m := load(t, filepath.Join(tinyModels, "tag"))
	rows := readGolden(t, "tag")
	tags, err := m.Tag(t.Context(), pairsOf(rows))
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if !reflect.DeepEqual(tags[i].Labels, r.Labels) {
			t.Errorf("pair %d: labels %v, want %v", i, tags[i].Labels, r.Labels)
		}
		for k, want := range r.Marginals {
			if !near(tags[i].Marginals[k], want) {
				t.Errorf("pair %d: marginal %d is %v, want %v", i, k, tags[i].Marginals[k], want)
			}
			if s := tags[i].Tokens[k]; s.Begin != r.Tokens[k][0] || s.End != r.Tokens[k][1] {
				t.Errorf("pair %d: token %d stands at %v, want %v", i, k, s, r.Tokens[k])
			}
		}
	}
}

// editFile changes a file of a folder that is the test's own.
func editFile(t *testing.T, path, expression, to string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	edited := regexp.MustCompile(expression).ReplaceAll(data, []byte(to))
	if bytes.Equal(edited, data) {
		t.Fatalf("%s is not in %s", expression, path)
	}
	if err := os.WriteFile(path, edited, 0o644); err != nil {
		t.Fatal(err)
	}
}

// A tokenizer.json that truncates on the left keeps the end of what is too long:
// what stands just before a quotation, say.
func TestTheTokenizerSaysWhichEndIsCut(t *testing.T) {
	needLibrary(t)
	lamps, letters, harbours := strings.Repeat("lamp ", 60), strings.Repeat("letter ", 60), strings.Repeat("harbour ", 60)
	pairs := []Pair{{Context: "On lamps", Passage: lamps + harbours}, {Context: "On lamps", Passage: letters + harbours}, {Context: "On lamps", Passage: lamps + letters}}
	for _, head := range []string{"embed", "quotability", "quotability-sequence", "yes-no", "seq2seq", "rank"} {
		left := editManifest(t, head, head, head)
		editFile(t, filepath.Join(left, TokenizerFile), `"truncation": ?null`, `"truncation": {"direction": "Left", "max_length": 512, "strategy": "LongestFirst", "stride": 0}`)
		for dir, same := range map[string]int{left: 1, filepath.Join(tinyModels, head): 2} {
			answers := ask(load(t, dir), t, pairs)
			for other := 1; other <= 2; other++ {
				if equal := reflect.DeepEqual(answers[0], answers[other]); equal != (other == same) {
					t.Errorf("%s, cut on the left %v: texts 0 and %d have the answers %v and %v", head, same == 1, other, answers[0], answers[other])
				}
			}
		}
	}
}

// What a model's own scores forbid may leave nothing.
func TestATaggerThatAllowsNoPathSaysSo(t *testing.T) {
	dir := editManifest(t, "tag", `"start": [0.3, 0.4, -5.0]`, `"start": [-.inf, -.inf, -.inf]`)
	if _, err := load(t, dir).Tag(t.Context(), []Pair{{Passage: "The lamp."}}); err == nil || !strings.Contains(err.Error(), "allows no path of labels") {
		t.Errorf("error %v", err)
	}
}

func TestHeadsRefuseWhatTheyCannotDo(t *testing.T) {
	m := load(t, filepath.Join(tinyModels, "embed"))
	_, err1 := m.Score(t.Context(), somePassages(1))
	_, err2 := m.ScorePairs(t.Context(), nil)
	_, err3 := m.Spans(t.Context(), nil, 1)
	_, err4 := m.Tag(t.Context(), nil)
	_, _, err5 := load(t, defaultModel).Embed(t.Context(), nil)
	for i, err := range []error{err1, err2, err3, err4, err5} {
		if err == nil || !strings.Contains(err.Error(), "does not") {
			t.Errorf("case %d: error %v", i, err)
		}
	}
}

// A head has a name of its own, all that the table promises, and something to be
// asked.
func TestTheTableOfHeadsIsWhole(t *testing.T) {
	parts := reflect.TypeFor[Parts]()
	key := func(name string) bool {
		for i := range parts.NumField() {
			if tag := parts.Field(i).Tag.Get("yaml"); tag == name+",omitempty" {
				return true
			}
		}
		return false
	}
	for i, h := range heads {
		if h.name == "" || headNamed(h.name) != h || Heads()[i] != h.name {
			t.Errorf("head %d: name %q", i, h.name)
		}
		if h.doc.input == "" || h.doc.output == "" || h.doc.result == "" {
			t.Errorf("%s: a cell of its row in the docs is empty: %+v", h.name, h.doc)
		}
		if h.graph == nil || !key(h.graph.part()) || h.part != "" && !key(h.part) {
			t.Errorf("%s: its parts of model.yaml are no keys of Parts", h.name)
		}
		asked := false
		for _, task := range []Task{ScorePassages, ScorePairs, ProposeSpans, TagPassages, EmbedTexts, SayWhen} {
			asked = asked || h.can(task)
		}
		if !asked {
			t.Errorf("%s: a model with it can be asked nothing", h.name)
		}
		if h.neighbours && !h.can(ScorePassages) {
			t.Errorf("%s: it reads neighbours, and scores no passages", h.name)
		}
	}
}

func TestNearestIsExact(t *testing.T) {
	query := []float32{1, 2}
	candidates := [][]float32{{0, 1}, {1, 0}, {3, 0}, {0, 1}, {1, 1}}
	got := Nearest(query, candidates, 3)
	want := []Neighbour{{2, 3}, {4, 3}, {0, 2}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if n := len(Nearest(query, candidates, 9)); n != 5 {
		t.Errorf("%d of 5 candidates", n)
	}
}

// editManifest copies a tiny model and changes its manifest.
func editManifest(t *testing.T, folder, old, to string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{GraphFile, ManifestFile, TokenizerFile, "choices.jsonl"} {
		data, err := os.ReadFile(filepath.Join(tinyModels, folder, name))
		if errors.Is(err, fs.ErrNotExist) && name == "choices.jsonl" {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if name == ManifestFile {
			if !strings.Contains(string(data), old) {
				t.Fatalf("%q is not in the manifest", old)
			}
			data = []byte(strings.Replace(string(data), old, to, 1))
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTextModelsSayWhatIsWrong(t *testing.T) {
	needLibrary(t)
	for _, test := range []struct{ head, old, new, want string }{
		{"embed", "head: \"embed\"", "head: \"rank\"", "embed does not belong to head rank"},
		{"embed", "\"from\": \"mean\"", "\"from\": \"last\"", `embed.from is "last", expected mean, first or none`},
		{"embed", "\"from\": \"mean\"", "\"from\": \"none\"", `output "last_hidden_state" has shape`},
		{"embed", "\"max\": 48", "\"max\": 3", "tokens.max is 3, expected 8 or more"},
		{"rank", "transform: \"none\"", "transform: \"exp\"", "transform is exp, and head rank has none"},
		{"embed", "\"max\"", "\"most\"", `unknown field "most"`},
		{"embed", "tokens:", "#", "head embed needs tokens"},
		{"choice", `"mask": "[MASK]"`, `"mask": "[GAP]"`, `choice.mask is "[GAP]", which is no token of tokenizer.json`},
		{"choice", `"sha256": "`, `"sha256": "0`, "choices.jsonl has the sha256"},
		{"choice", "choices.jsonl", "../choices.jsonl", "expected the name of a file in the model's folder"},
		{"rank", "\"max\": 48", "\"max\": 48, \"truncation\": \"middle\"", `tokens.truncation is "middle"`},
		{"embed", "\"max\": 48", "\"max\": 48, \"truncation\": \"only-second\"", "tokens.truncation is only-second, and head embed reads one text"},
		{"rank", "\"attention_mask\", ", "", "the graph has 3 inputs"},
		{"span", "\"start_logits\", ", "", "head span has 2 to 3 inputs and 2 outputs, the manifest names 3 and 1"},
		{"quotability-sequence", "[SEP]", "[END]", `tokens.end is "[END]", which is no token of tokenizer.json`},
		{"seq2seq", "[\"</s>\", \"<s>\"]", "[\"</s>\", \"<z>\"]", `tokens.begin is "<z>", which is no token of tokenizer.json`},
		{"seq2seq", "\"begin\": [\"</s>\", \"<s>\"], ", "", "tokens.begin is missing"},
		{"seq2seq", "\"max\": 48, \"begin\": [", "\"max\": 8, \"begin\": [\"<s>\", \"<s>\", \"<s>\", ", "tokens.begin has 5 tokens, too many for head seq2seq and tokens.max 8"},
		{"quotability-sequence", "\"[CLS]\"", "[\"[CLS]\", \"[CLS]\"]", "tokens.begin has 2 tokens, too many for head quotability-sequence"},
		{"yes-no", "{passage}", "{paragraph}", "yes_no.prompt has no {passage}"},
		{"yes-no", "{passage}", "{passage} and so on" + strings.Repeat(" and on", 48), "yes_no.prompt alone fills tokens.max, 48"},
		{"rank", "\"max\": 48", "\"max\": 48, \"mask\": \"<gap>\"", `tokens.mask is "<gap>", which is no token of tokenizer.json`},
		{"quotability", "\"max\": 48", "\"max\": 48, \"mask\": \"[MASK]\"", "tokens.mask is for heads rank, yes-no, seq2seq, span, tag, embed"},
		{"tag", "[\"O\", \"B\", \"I\"]", "[\"O\", \"B\", \"L\"]", "tag.names is [O B L], expected O, B and I"},
		{"rank", "\"max\": 48", "\"max\": 48, \"positional\": \"prose\"", "tokens.positional is for heads quotability and quotability-sequence"},
		{"quotability", "\"max\": 48", "\"max\": 48, \"positional\": \"verse\"", `tokens.positional is "verse", expected drama, latin, prose or scripture`},
		{"quotability", "tokens: {\"max\": 48", "sentences: 2\ntokens: {\"max\": 48, \"positional\": \"prose\"", "with sentences or rate each sentence is scored"},
		{"quotability", "\"max\": 48", "\"max\": 48, \"positional\": \"drama\"", "tokenizer.json has no token [Starts-Play]"},
		{"tag", "[[0.5", "[[1, 0.5", "tag.transitions is not 3 rows of 3"},
	} {
		m, err := LoadModel(editManifest(t, test.head, test.old, test.new), Options{})
		if err == nil {
			m.Close()
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s, %s for %s: error %v, want %q", test.head, test.new, test.old, err, test.want)
		}
	}
	dir := editManifest(t, "embed", "embed", "embed")
	os.Remove(filepath.Join(dir, TokenizerFile))
	if _, err := LoadModel(dir, Options{}); err == nil || !strings.Contains(err.Error(), "has no tokenizer.json") {
		t.Errorf("error %v", err)
	}
}

func TestAClosedModelSaysSo(t *testing.T) {
	needLibrary(t)
	m, err := LoadModel(filepath.Join(tinyModels, "embed"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Embed(t.Context(), []string{"The lamp."}); err == nil || !strings.Contains(err.Error(), "the model is closed") {
		t.Errorf("error %v", err)
	}
}

// A graph may leave open what the head knows, the one logit, and the width of a
// pooled vector, which only a run tells.
func TestOutputsOfOpenWidth(t *testing.T) {
	needLibrary(t)
	rows := readGolden(t, "rank")
	open := func(dir string) *Model { // declares [n 1] as [n ?]
		editGraph(t, dir, func(graph []byte) {
			at := bytes.LastIndex(graph, []byte{0x0a, 2, 8, 1}) // a dimension of value 1
			copy(graph[at:], []byte{0x0a, 2, 0x12, 0})          // and of a name, an empty one
		})
		return load(t, dir)
	}
	m := open(editManifest(t, "rank", "rank", "rank"))
	scores, err := m.ScorePairs(t.Context(), pairsOf(rows))
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if !near(scores[i].Score, r.Score) {
			t.Errorf("pair %d: score %v, PyTorch says %v", i, scores[i].Score, r.Score)
		}
	}
	dir := editManifest(t, "quotability", "head: \"quotability\"", "head: \"embed\"\nembed: {from: none}")
	editFile(t, filepath.Join(dir, ManifestFile), `transform: "exp"`, `transform: "none"`)
	pooled := open(dir)
	vectors, _, err := pooled.Embed(t.Context(), []string{rows[0].Passage, rows[1].Passage})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range readGolden(t, "quotability")[:2] {
		if len(vectors[i]) != 1 || !near(math.Exp(float64(vectors[i][0])), r.Score) {
			t.Errorf("vector %v, want the logarithm of %v", vectors[i], r.Score)
		}
	}
}

func TestCountsSayWhatWasCut(t *testing.T) {
	m := load(t, filepath.Join(tinyModels, "quotability"))
	scores, err := m.Score(t.Context(), []commonplace.Passage{{ID: "a", Text: "The lamp."}, {ID: "b", Text: strings.Repeat("lamp ", 99)}})
	if err != nil {
		t.Fatal(err)
	}
	if c := m.Counts(); c.Texts != 2 || c.Truncated != 1 || c.Tokens < 50 || c.Tokens > 60 {
		t.Errorf("%+v", c)
	}
	if scores[0].Truncated || !scores[1].Truncated {
		t.Errorf("truncated %v and %v", scores[0].Truncated, scores[1].Truncated)
	}
	// Three passages in two inputs: what is counted are passages.
	m = load(t, filepath.Join(tinyModels, "quotability-sequence"))
	if _, err := m.Score(t.Context(), []commonplace.Passage{{ID: "a", Text: "lamp"}, {ID: "b", Text: "lamp"}, {ID: "c", Text: strings.Repeat("lamp ", 99)}}); err != nil {
		t.Fatal(err)
	}
	if c := m.Counts(); c.Texts != 3 || c.Truncated != 1 || c.Tokens != 5+48 || c.Padded < c.Tokens {
		t.Errorf("%+v", c)
	}
}

func TestALongContextLeavesRoomForThePassage(t *testing.T) {
	m := load(t, filepath.Join(tinyModels, "span"))
	long := strings.Repeat("lamp ", 80)
	found, err := m.Spans(t.Context(), []Pair{{Context: strings.Repeat("letter ", 80), Passage: long}, {Context: strings.Repeat("letter ", 44), Passage: long}, {Context: "On lamps"}, {Context: "On lamps", Passage: "The lamp."}}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	// A quarter of 48 tokens is the passage's, though the second context alone
	// leaves one: 12 tokens have 78 spans.
	for i, want := range []Proposal{{make([]FoundSpan, 78), true}, {make([]FoundSpan, 78), true}, {nil, false}, {make([]FoundSpan, 6), false}} {
		if len(found[i].Spans) != len(want.Spans) || found[i].Truncated != want.Truncated {
			t.Errorf("pair %d: %d spans, truncated %v; want %d, %v", i, len(found[i].Spans), found[i].Truncated, len(want.Spans), want.Truncated)
		}
	}
}

// Under transitions of its own a model may say I where nothing begins: that is a
// span too, and nothing that it marks is lost.
func TestAnIWithoutABBeginsASpan(t *testing.T) {
	var tagged Tagging
	for i, label := range strings.Split("IIOIBIBOB", "") {
		tagged.Labels = append(tagged.Labels, label)
		tagged.Tokens = append(tagged.Tokens, commonplace.Span{Begin: 10 * i, End: 10*i + 5})
		tagged.Marginals = append(tagged.Marginals, float64(i))
	}
	tagged.spans()
	want := []FoundSpan{{commonplace.Span{Begin: 0, End: 15}, 0.5}, {commonplace.Span{Begin: 30, End: 35}, 3}, {commonplace.Span{Begin: 40, End: 55}, 4.5}, {commonplace.Span{Begin: 60, End: 65}, 6}, {commonplace.Span{Begin: 80, End: 85}, 8}}
	if !reflect.DeepEqual(tagged.Spans, want) {
		t.Errorf("spans %v, want %v", tagged.Spans, want)
	}
}

// The slow obvious way: every path, its sum, and what BIO forbids.
func TestViterbiWithoutTransitionsForbidsWhatBIOForbids(t *testing.T) {
	v, err := newViterbi(&Labels{Names: []string{"O", "B", "I"}})
	if err != nil {
		t.Fatal(err)
	}
	logits := [][]float32{{0, 1, 3}, {2, 0, 1}, {0, 0, 5}, {1, 0, 0}}
	best, bestSum := []int(nil), math.Inf(-1)
	for code := range 81 {
		path, sum := make([]int, 4), 0.0
		for i, c := 0, code; i < 4; i, c = i+1, c/3 {
			path[i] = c % 3
			sum += float64(logits[i][path[i]])
			if path[i] == 2 && (i == 0 || path[i-1] == 0) {
				sum = math.Inf(-1)
			}
		}
		if sum > bestSum {
			best, bestSum = path, sum
		}
	}
	if got := v.path(logits); !reflect.DeepEqual(got, best) {
		t.Errorf("path %v, want %v", got, best)
	}
	for i, m := range v.marginals(logits) {
		if sum := m[0] + m[1] + m[2]; math.Abs(sum-1) > 1e-12 {
			t.Errorf("token %d: the marginals sum to %v", i, sum)
		}
	}
}
