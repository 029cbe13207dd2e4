package infer

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/commonplace/commonplace"
)

const (
	defaultModel = "../models/quotability-features"
	linearModel  = "testdata/models/features" // models/golden/tiny_features.py
)

func needLibrary(t testing.TB) {
	t.Helper()
	if _, err := Library(); err != nil {
		t.Skip(err)
	}
}

func load(t testing.TB, dir string) *Model {
	t.Helper()
	needLibrary(t)
	m, err := LoadModel(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// somePassages are n passages of different words, lengths and places.
func somePassages(n int) []commonplace.Passage {
	words := strings.Fields("no one keeps a lamp through all the night but by need and every heart, once lit, said she, is a harbour; 1742 ROADS Margaret never found the way home")
	p := make([]commonplace.Passage, n)
	for i := range p {
		var text []string
		for k := range 1 + i*7%211 {
			text = append(text, words[(i*31+k*(1+i%5))%len(words)])
		}
		p[i] = commonplace.Passage{ID: commonplace.PassageID("doc", int64(i)), DocID: "doc", Index: int64(i), Text: strings.Join(text, " ") + ".", Position: float64(i) / float64(n)}
	}
	return p
}

func TestScoreDoesNotDependOnTheBatch(t *testing.T) {
	m := load(t, defaultModel)
	passages := somePassages(1300)
	want, err := m.Score(t.Context(), passages)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 7, 512, 513} {
		var got []commonplace.Score
		for part := range slices.Chunk(passages, size) {
			s, err := m.Score(t.Context(), part)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, s...)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("scores in batches of %d differ", size)
		}
	}
	if want[3].PassageID != passages[3].ID || want[3].Model != "quotability-features" || want[3].Device != "cpu" || want[3].Precision != "fp32" || len(want[3].ModelSHA256) != 64 {
		t.Errorf("row %+v", want[3])
	}
}

func TestScoreFromManyGoroutines(t *testing.T) {
	m := load(t, defaultModel)
	passages := somePassages(700)
	want, err := m.Score(t.Context(), passages)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 5 {
				got, err := m.Score(context.Background(), passages)
				if err != nil {
					t.Error(err)
				} else if !reflect.DeepEqual(got, want) {
					t.Error("scores differ between goroutines")
				}
			}
		})
	}
	wait.Wait()
}

// The program says of a passage what NumPy says of it from the Python definition of
// the features and terms, and its reasons are the strongest parts of that.
func TestDefaultModelEqualsPython(t *testing.T) {
	equalsPython(t, defaultModel, func(text string, reasons []commonplace.Reason) {
		if len(reasons) == 0 || len(reasons) > 6 || !slices.IsSortedFunc(reasons, func(a, b commonplace.Reason) int {
			return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect))
		}) {
			t.Errorf("%q: reasons %v", text, reasons)
		}
	})
}

// A model of features alone, without terms, transform or reasons.
func TestLinearModelEqualsPython(t *testing.T) {
	equalsPython(t, linearModel, func(text string, reasons []commonplace.Reason) {
		if len(reasons) > 0 {
			t.Errorf("%q: reasons %v of a model that says none", text, reasons)
		}
	})
}

func equalsPython(t *testing.T, dir string, reasons func(string, []commonplace.Reason)) {
	t.Helper()
	m := load(t, dir)
	data, err := os.ReadFile(filepath.Join(dir, "expected.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		var want struct {
			Passage commonplace.Passage `json:"passage"`
			Logit   float64             `json:"logit"`
		}
		if err := json.Unmarshal([]byte(line), &want); err != nil {
			t.Fatal(err)
		}
		got, err := m.Score(t.Context(), []commonplace.Passage{want.Passage})
		if err != nil {
			t.Fatal(err)
		}
		if logit := got[0].Score; math.Abs(logit-want.Logit) > 1e-4 {
			t.Errorf("%q: %v, NumPy says %v", want.Passage.Text, logit, want.Logit)
		}
		reasons(want.Passage.Text, got[0].Reasons)
		n++
	}
	if n < 20 {
		t.Errorf("only %d passages", n)
	}
}

// What people quote should beat what they do not, or the model is of no use.
func TestDefaultModelPrefersMaximsToPaperwork(t *testing.T) {
	m := load(t, defaultModel)
	maxim := "He that would have friends must be a friend; for love is better than gold, and no man was ever poor whose heart was full of kindness."
	for name, other := range map[string]string{
		"contents": "CONTENTS\n\nChapter I. The Harbour  . . . 3\nChapter II. The Lamp . . . 17\nChapter III. The Widow's Clock . . . 31\nChapter IV. Going Home . . . 58",
		"names":    "Mr. Brand, Mrs. Brand, Captain Leopold Hale and Miss Isabel Wray went down to Norwich on the Tuesday, and lodged there with Colonel Rupert Finch in Tower Street.",
		"numbers":  "12 barrels at 3s. 6d., 40 yards of linen at 2s., 1 clock (1790), 6 lamps, 14 spoons; in all £31 4s. 2d., paid 17 October 1841.",
	} {
		s, err := m.Score(t.Context(), []commonplace.Passage{{ID: "maxim", Text: maxim}, {ID: name, Text: other}})
		if err != nil {
			t.Fatal(err)
		}
		if s[0].Score < 2*s[1].Score {
			t.Errorf("maxim %v, %s %v", s[0].Score, name, s[1].Score)
		}
	}
}

func TestScoreRefusesWhatIsNoNumber(t *testing.T) {
	m := load(t, defaultModel)
	passages := somePassages(3)
	passages[1].Position = math.NaN()
	_, err := m.Score(t.Context(), passages)
	if err == nil || !strings.Contains(err.Error(), "doc:000001") {
		t.Errorf("error %v, want one that names doc:000001", err)
	}
}

func TestScoreStopsWhenCancelled(t *testing.T) {
	m := load(t, defaultModel)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Score(ctx, somePassages(3)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// copyModel copies the default model into a new folder, for tests to damage.
func copyModel(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{GraphFile, ManifestFile, "terms.txt", TrainingFile} {
		data, err := os.ReadFile(filepath.Join(defaultModel, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoadModelSaysWhatIsWrong(t *testing.T) {
	edit := func(old, to string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, ManifestFile)
			data, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(data), old) {
				t.Fatalf("%q is not in the manifest (%v)", old, err)
			}
			if err := os.WriteFile(path, []byte(strings.Replace(string(data), old, to, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, test := range map[string]struct {
		damage func(t *testing.T, dir string)
		want   string
	}{
		"no folder":         {func(t *testing.T, dir string) { os.RemoveAll(dir) }, "does not exist"},
		"no manifest":       {func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, ManifestFile)) }, "is no model folder: it has no model.yaml"},
		"empty manifest":    {func(t *testing.T, dir string) { os.WriteFile(filepath.Join(dir, ManifestFile), nil, 0o644) }, "is empty"},
		"no graph":          {func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, GraphFile)) }, "has no model.onnx"},
		"other graph":       {func(t *testing.T, dir string) { os.WriteFile(filepath.Join(dir, GraphFile), []byte("x"), 0o644) }, "is not the graph that model.yaml describes: its sha256 is"},
		"unknown key":       {edit("licence:", "license:"), `unknown field "license"`},
		"unknown head":      {edit("head: features", "head: oracle"), `head is "oracle"`},
		"no head":           {edit("head: features\n", ""), "head is missing"},
		"wrong opset":       {edit("opset: 17", "opset: 18"), "is a graph of opset 17, model.yaml says 18"},
		"unknown transform": {edit("transform: none", "transform: log"), `transform is "log", expected none or exp`},
		"bad sum":           {edit("sha256: ", "sha256: zz"), "sha256 is not 64 hexadecimal digits"},
		"other features":    {edit("  version: 2", "  version: 7"), "fitted on version 7 of the features"},
		"other lemmas":      {edit("terms: {", "terms: {lemmas: 7, "), "fitted on lemmas of number 7, this program has number 1"},
		"lemmas and forms":  {edit("terms: {", "terms: {lemmas: 1, forms: {file: forms.txt, sha256: 00}, "), "features.terms has both lemmas and forms"},
		"forms elsewhere":   {edit("terms: {", "terms: {forms: {file: ../forms.txt, sha256: 00}, "), "features.terms.forms.file"},
		"other forms":       {edit("terms: {", "terms: {forms: {file: terms.txt, sha256: 00}, "), "terms.txt has the sha256"},
		"unknown feature":   {edit("- words", "- letters"), `there is no feature "letters"`},
		"one feature less":  {edit("    - words\n", ""), `the graph's input "features" has shape [n 59], expected [n 58]`},
		"no such input":     {edit("inputs: [features,", "inputs: [x,"), `the graph has no input "x"; it has "features"`},
		"no such output":    {edit("outputs: [logit,", "outputs: [y,"), `the graph has no output "y"; it has "logit"`},
		"second document":   {edit("head: features", "head: features\n---\nname: other\n#"), "holds a second YAML document"},
		"not YAML":          {edit("head: features", "head: [features"), "model.yaml: ["},
	} {
		t.Run(name, func(t *testing.T) {
			dir := copyModel(t)
			test.damage(t, dir)
			if strings.Contains(name, "put") || name == "one feature less" {
				needLibrary(t)
			}
			m, err := LoadModel(dir, Options{})
			if err == nil {
				m.Close()
				t.Fatal("was loaded")
			}
			if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q, want one line with %q", err, test.want)
			}
		})
	}
}

func TestDevices(t *testing.T) {
	if _, err := LoadModel(defaultModel, Options{Device: "abacus"}); err == nil || !strings.Contains(err.Error(), `device is "abacus", expected cpu, cuda, tensorrt or auto`) {
		t.Errorf("error %v", err)
	}
	needLibrary(t)
	m, err := LoadModel(defaultModel, Options{Device: "auto"})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Device() == "cpu" {
		if !strings.Contains(m.DeviceReason(), "CUDA is not available: ") || strings.Contains(m.DeviceReason(), "\n") {
			t.Errorf("reason %q", m.DeviceReason())
		}
		if _, err := LoadModel(defaultModel, Options{Device: "cuda"}); err == nil || !strings.Contains(err.Error(), "device cuda is not available: ") {
			t.Errorf("error %v", err)
		}
	}
}

// editGraph changes a folder's graph, and its manifest with it.
func editGraph(t *testing.T, dir string, edit func(graph []byte)) {
	t.Helper()
	graph, err1 := os.ReadFile(filepath.Join(dir, GraphFile))
	manifest, err2 := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	old := fmt.Sprintf("%x", sha256.Sum256(graph))
	edit(graph)
	manifest = bytes.Replace(manifest, []byte(old), fmt.Appendf(nil, "%x", sha256.Sum256(graph)), 1)
	err1 = os.WriteFile(filepath.Join(dir, GraphFile), graph, 0o644)
	err2 = os.WriteFile(filepath.Join(dir, ManifestFile), manifest, 0o644)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
}

// A graph that gives no number: the intercept of the default model made NaN.
func TestNaNNamesThePassage(t *testing.T) {
	needLibrary(t)
	dir := copyModel(t)
	editGraph(t, dir, func(data []byte) {
		name := bytes.LastIndex(data, []byte("\x42\x0fintercept_books")) // the name of its initializer; raw_data (tag 4a, length 4) follows
		raw := name + bytes.Index(data[max(0, name):], []byte{0x4a, 4})
		if name < 0 || raw < name || raw-name > 40 {
			t.Fatalf("intercept at %d, its data at %d", name, raw)
		}
		copy(data[raw+2:], []byte{0, 0, 0xc0, 0x7f})
	})
	_, err := load(t, dir).Score(t.Context(), somePassages(2))
	if err == nil || !strings.Contains(err.Error(), "gives passage doc:000000 the score NaN") {
		t.Errorf("error %v", err)
	}
}

func TestLibraryIsNamedByTheVariable(t *testing.T) {
	t.Setenv(LibraryVariable, filepath.Join(t.TempDir(), "nowhere.so"))
	if _, err := Library(); err == nil || !strings.Contains(err.Error(), LibraryVariable) {
		t.Errorf("error %v", err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, libraryName())
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{path, dir} {
		t.Setenv(LibraryVariable, value)
		if got, err := Library(); got != path || err != nil {
			t.Errorf("%s gives %s, %v", value, got, err)
		}
	}
}

func TestNoLibraryIsOneSentenceWithTheCure(t *testing.T) {
	t.Setenv(LibraryVariable, "")
	t.Chdir(t.TempDir()) // and the test program lies in a temporary folder too
	_, err := Library()
	if !errors.Is(err, ErrNoLibrary) || !strings.Contains(err.Error(), "make onnxruntime") {
		t.Errorf("error %v", err)
	}
}

// The library is code: one that lies where the program is started, or above, such as in
// /tmp or among somebody's books, is not run.
func TestNoLibraryOfTheWorkingDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "lib", "onnxruntime"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "lib", "onnxruntime", libraryName()), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(dir, "books")
	if err := os.Mkdir(below, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{dir, below} {
		t.Chdir(folder)
		if path, err := libraryIn(installed(false)); !errors.Is(err, ErrNoLibrary) {
			t.Errorf("%s: %s, %v", folder, path, err)
		}
	}
}

func ExampleModel_Score() {
	if _, err := Library(); err != nil {
		fmt.Println("maxim first") // nothing to show without ONNX Runtime
		return
	}
	m, err := LoadModel("../models/quotability-features", Options{})
	if err != nil {
		panic(err)
	}
	defer m.Close()
	scores, err := m.Score(context.Background(), []commonplace.Passage{
		{ID: "book:000000", Text: "No man is ever wholly wise, nor is any hour too late for truth."},
		{ID: "book:000001", Text: "Chapter IX. The Road to Norwich, 14 June 1851."},
	})
	if err != nil {
		panic(err)
	}
	if scores[0].Score > scores[1].Score {
		fmt.Println("maxim first")
	}
	// Output: maxim first
}

// What taught a model is read with it; a list that is not the manifest's is refused.
func TestTrainingIsRead(t *testing.T) {
	needLibrary(t)
	list, known := load(t, defaultModel).Training()
	if !known || len(list) != 228 {
		t.Errorf("%d documents taught the default, known: %v", len(list), known)
	}
	dir := copyModel(t)
	path := filepath.Join(dir, TrainingFile)
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, data[:len(data)/2], 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := LoadModel(dir, Options{}); err == nil || !strings.Contains(err.Error(), "model folder "+dir+": training.jsonl has the sha256") {
		t.Errorf("half a list: %v", err)
	}
	for text, want := range map[string]string{
		"{file: ../training.jsonl, sha256: " + strings.Repeat("0", 64) + "}": "the name of a file in the model's folder",
		"{file: training.jsonl, sha256: 12}":                                 "not 64 hexadecimal digits",
		"{sha256: 12}":                                                       "training.file is missing",
	} {
		manifest, err := os.ReadFile(filepath.Join(dir, ManifestFile))
		if err != nil {
			t.Fatal(err)
		}
		at, end := bytes.Index(manifest, []byte("training: ")), 0
		end = at + bytes.IndexByte(manifest[at:], '\n')
		broken := slices.Concat(manifest[:at], []byte("training: "+text), manifest[end:])
		if err := os.WriteFile(filepath.Join(dir, ManifestFile), broken, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadManifest(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
