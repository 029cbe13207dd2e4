package infer

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// What model new writes names the outputs that the head reads, as the models' own
// manifests do.
func TestTemplateNamesWhatTheHeadReads(t *testing.T) {
	needLibrary(t)
	folders, err := filepath.Glob(filepath.Join(tinyModels, "*", ManifestFile))
	if err != nil || len(folders) < 10 {
		t.Fatalf("%d models: %v", len(folders), err)
	}
	for _, path := range folders {
		dir := filepath.Dir(path)
		m, err := ReadManifest(dir)
		if err != nil {
			t.Fatal(err)
		}
		text, err := Template(dir, m.Head, "")
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		var made Manifest
		if err := yaml.Unmarshal([]byte(text), &made); err != nil || !slices.Equal(made.Inputs, m.Inputs) || !slices.Equal(made.Outputs, m.Outputs) {
			t.Errorf("%s: inputs %q, outputs %q, expected %q and %q; %v", dir, made.Inputs, made.Outputs, m.Inputs, m.Outputs, err)
		}
	}
}

// A graph that a head cannot read is refused at once, with the heads that can.
func TestTemplateOfAnotherHeadsGraph(t *testing.T) {
	needLibrary(t)
	for _, test := range []struct{ folder, head, want string }{
		{"quotability-lines", "quotability", "does not fit head quotability, which reads [n, 1], or [n, 2] of a classifier: its inputs are input_ids [n n], attention_mask [n n], token_type_ids [n n], its outputs logits [n n 1], lines [n n 1]; such outputs are read by quotability-sequence, "},
		{"quotability", "quotability-sequence", "such outputs are read by quotability, rank"},
		{"choice", "rank", "its outputs logits [n 4]"},
		{"yes-no", "seq2seq", "does not fit head seq2seq"},
		{"features", "quotability", "such outputs are read by features"},
		{"rank", "features", "does not fit head features"},
	} {
		if _, err := Template(filepath.Join(tinyModels, test.folder), test.head, ""); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s as %s: %v, want %q", test.folder, test.head, err, test.want)
		}
	}
}

// A shape that the head cannot read is named beside mistakes of the manifest.
func TestCheckNamesShapesAtOnce(t *testing.T) {
	needLibrary(t)
	dir := editManifest(t, "quotability-lines", `head: "quotability-sequence"`, `head: "quotability"`)
	editFile(t, filepath.Join(dir, ManifestFile), "licence:", "#")
	_, wrong, _ := Check(dir, "")
	var said []string
	for _, err := range wrong {
		said = append(said, err.Error())
	}
	all := strings.Join(said, "\n")
	for _, want := range []string{
		"licence is missing",
		"1 outputs, the manifest names 3 and 2",
		`the graph's output "logits" has shape [n n 1], expected [n, 1], or [n, 2] of a classifier`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in:\n%s", want, all)
		}
	}
}
