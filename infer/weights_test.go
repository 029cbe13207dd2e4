package infer

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/commonplace/commonplace"
)

// external says that a tensor's data are in a file.
func external(location uint64, file string) []byte {
	return slices.Concat(text(8, "encoder.weight"), proto(13, text(1, "location"), text(2, file)), number(14, location))
}

// Weights in a file that the manifest does not name are refused wherever a tensor can be.
func TestWeightsInAnotherFileAreNamed(t *testing.T) {
	plain := text(4, "Identity")
	for place, model := range places(plain, text(8, "encoder.weight")) {
		if err := graphError(t, model); err != nil {
			t.Errorf("%s: %v", place, err)
		}
	}
	for _, location := range []uint64{1, 1<<32 | 1} {
		for place, model := range places(plain, external(location, "weights.bin")) {
			if err := graphError(t, model); err == nil || !strings.Contains(err.Error(), `("encoder.weight" in "weights.bin"): name that file in model.yaml, as weights`) {
				t.Errorf("%s, location %d: %v", place, location, err)
			}
		}
	}
	for file, want := range map[string]string{"weights.bin": "", "../weights.bin": `keeps weights in the file "../weights.bin"`, "/etc/passwd": "all of them must be in one file"} {
		for place, model := range places(plain, external(1, file)) {
			err := checkGraph(slices.Concat(proto(8, number(2, 17)), model), "weights.bin")
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s, %s: %v", place, file, err)
			}
		}
	}
	twice := slices.Concat(text(8, "it"), proto(13, text(1, "location"), text(2, "weights.bin")), proto(13, text(1, "location"), text(2, "other")), number(14, 1))
	if err := checkGraph(proto(7, proto(5, twice)), "weights.bin"); err == nil || !strings.Contains(err.Error(), `"other"`) {
		t.Error(err)
	}
	nowhere := slices.Concat(text(8, "it"), number(14, 1))
	if err := checkGraph(proto(7, proto(5, nowhere)), "weights.bin"); err == nil {
		t.Error("a tensor whose data are nowhere is accepted")
	}
}

// moved is a graph whose weights are in a file, and what the file holds.
func moved(t *testing.T, graph []byte, file string) (without, weights []byte) {
	t.Helper()
	inside := func(raw []byte, number protowire.Number, change func([]byte) []byte) (out []byte) {
		for len(raw) > 0 {
			is, kind, n := protowire.ConsumeField(raw)
			if n < 0 {
				t.Fatal(protowire.ParseError(n))
			}
			if is == number && kind == protowire.BytesType {
				_, _, tag := protowire.ConsumeTag(raw)
				value, _ := protowire.ConsumeBytes(raw[tag:])
				out = append(out, change(value)...)
			} else {
				out = append(out, raw[:n]...)
			}
			raw = raw[n:]
		}
		return out
	}
	tensor := func(tensor []byte) []byte {
		out := inside(tensor, 9, func(raw []byte) []byte {
			entry := func(key string, n int) []byte { return proto(13, text(1, key), text(2, strconv.Itoa(n))) }
			place := slices.Concat(proto(13, text(1, "location"), text(2, file)), entry("offset", len(weights)), entry("length", len(raw)), number(14, 1))
			weights = append(weights, raw...)
			return place
		})
		return proto(5, out)
	}
	without = inside(graph, 7, func(graph []byte) []byte { return proto(7, inside(graph, 5, tensor)) })
	return without, weights
}

// outside copies a model whose weights are then in a file.
func outside(t *testing.T, model, file string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(tinyModels, model))); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	write := func(name string, raw []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	graph := read(GraphFile)
	without, weights := moved(t, graph, file)
	if len(weights) < len(graph)/2 {
		t.Fatalf("%d of %d bytes were moved", len(weights), len(graph))
	}
	write(GraphFile, without)
	write(file, weights)
	manifest := strings.Replace(string(read(ManifestFile)), fmt.Sprintf("%x", sha256.Sum256(graph)), fmt.Sprintf("%x", sha256.Sum256(slices.Concat(without, weights))), 1)
	write(ManifestFile, []byte(manifest+fmt.Sprintf("weights: %q\n", file)))
	return dir
}

// A model whose weights are beside its graph scores as it does with its weights in it, from
// any working folder.
func TestWeightsBesideTheGraph(t *testing.T) {
	needLibrary(t)
	passages := []commonplace.Passage{{ID: "a", Text: "Call me Ishmael."}, {ID: "b", Text: "It was the best of times."}}
	for _, head := range []string{"quotability", "quotability-sequence"} {
		want, err := load(t, filepath.Join(tinyModels, head)).Score(t.Context(), passages)
		if err != nil {
			t.Fatal(err)
		}
		dir := outside(t, head, "model.onnx.data")
		if _, wrong, _ := Check(dir, ""); len(wrong) > 0 {
			t.Error(wrong)
		}
		t.Chdir(t.TempDir())
		got, err := load(t, dir).Score(t.Context(), passages)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			want[i].ModelSHA256, got[i].ModelSHA256 = "", ""
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", head, got, want)
		}
		template, err := Template(dir, head, "")
		manifest, err2 := ReadManifest(dir)
		if err != nil || err2 != nil || !strings.Contains(template, manifest.SHA256) || !strings.Contains(template, `weights: "model.onnx.data"`) {
			t.Errorf("%v %v: %s", err, err2, template)
		}
	}
}

// A file that ends too early is refused when the model is loaded, and not read past its end.
func TestShortWeights(t *testing.T) {
	needLibrary(t)
	dir := outside(t, "quotability", "weights.bin")
	read := func(name string) []byte {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	graph, weights, manifest := read(GraphFile), read("weights.bin"), string(read(ManifestFile))
	short := weights[:len(weights)/2]
	sum := func(weights []byte) string { return fmt.Sprintf("%x", sha256.Sum256(slices.Concat(graph, weights))) }
	manifest = strings.Replace(manifest, sum(weights), sum(short), 1)
	for name, raw := range map[string][]byte{"weights.bin": short, ManifestFile: []byte(manifest)} {
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m, err := LoadModel(dir, Options{})
	if err == nil {
		m.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "and the weights of model.onnx end at") {
		t.Error(err)
	}
}

func TestWrongWeightsAreRefused(t *testing.T) {
	needLibrary(t)
	for name, test := range map[string]struct {
		do   func(dir string) error
		want string
	}{
		"gone":    {func(dir string) error { return os.Remove(filepath.Join(dir, "weights.bin")) }, "has no weights.bin, which model.yaml names as weights"},
		"emptied": {func(dir string) error { return os.WriteFile(filepath.Join(dir, "weights.bin"), nil, 0o666) }, "weights.bin has 0 bytes, and the weights of model.onnx end at"},
		"longer":  {func(dir string) error { return os.Truncate(filepath.Join(dir, "weights.bin"), 20<<30) }, "weights.bin has 21474836480 bytes"},
		"changed": {overwritten, "the sha256 of it and of weights.bin is"},
		"a folder": {func(dir string) error {
			os.Remove(filepath.Join(dir, "weights.bin"))
			return os.Mkdir(filepath.Join(dir, "weights.bin"), 0o777)
		}, "not a regular file"},
		"elsewhere":    {renamed("../weights.bin"), `weights is "../weights.bin", expected the name of a file in the model's folder`},
		"another name": {renamed("tokenizer.json"), "tokenizer.json has "},
	} {
		dir := outside(t, "quotability", "weights.bin")
		if err := test.do(dir); err != nil {
			t.Fatal(err)
		}
		_, wrong, _ := Check(dir, "")
		if !slices.ContainsFunc(wrong, func(err error) bool { return strings.Contains(err.Error(), test.want) }) {
			t.Errorf("%s: %v, want %q", name, wrong, test.want)
		}
		if m, err := LoadModel(dir, Options{}); err == nil {
			m.Close()
			t.Errorf("%s is loaded", name)
		}
	}
}

// overwritten changes a byte of the weights.
func overwritten(dir string) error {
	path := filepath.Join(dir, "weights.bin")
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	raw[len(raw)/2] ^= 1
	return os.WriteFile(path, raw, 0o666)
}

// ONNX Runtime reads the weights while a model is used. Scores of others would be recorded under
// the SHA-256 of these.
func TestWeightsThatChangeInUse(t *testing.T) {
	needLibrary(t)
	dir := outside(t, "quotability", "weights.bin")
	m := load(t, dir)
	passages := []commonplace.Passage{{ID: "a", Text: "Call me Ishmael."}}
	if _, err := m.Score(t.Context(), passages); err != nil {
		t.Fatal(err)
	}
	if err := overwritten(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Score(t.Context(), passages); err == nil || !strings.Contains(err.Error(), "was changed while the model was in use") {
		t.Error(err)
	}
}

func TestWeightsThatTheGraphDoesNotHave(t *testing.T) {
	for head, want := range map[string]string{"quotability": "model.onnx has no weights in weights.bin: remove weights from model.yaml", "features": "weights is for heads that read text"} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(filepath.Join(tinyModels, head))); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "weights.bin"), []byte("0123"), 0o666); err != nil {
			t.Fatal(err)
		}
		manifest, err := os.OpenFile(filepath.Join(dir, ManifestFile), os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = manifest.WriteString("weights: weights.bin\n")
		}
		if err != nil || manifest.Close() != nil {
			t.Fatal(err)
		}
		if _, err := LoadModel(dir, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", head, err)
		}
	}
}

// renamed gives the manifest another name of the weights.
func renamed(to string) func(dir string) error {
	return func(dir string) error {
		path := filepath.Join(dir, ManifestFile)
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(strings.Replace(string(raw), `weights: "weights.bin"`, fmt.Sprintf("weights: %q", to), 1)), 0o666)
	}
}
