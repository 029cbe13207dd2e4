package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/align/pairs"
)

// reuse is the same config as the keys that it stands for, written out.
func TestReuseIsShort(t *testing.T) {
	load := func(text string) (*Config, error) {
		path := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(path, []byte("out: x\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
		return Load(t.Context(), path)
	}
	short, err := load("sources: [{name: a, files: [a]}, {name: b, files: [b], role: derived}]\nreuse: {differ: [series], order: older, days: 30, ignore: p.txt}\n")
	if err != nil {
		t.Fatal(err)
	}
	if short.Sources[0].Role != "both" || short.Sources[1].Role != "derived" || !reflect.DeepEqual(short.Label.Datasets, []string{DataClusters}) ||
		!reflect.DeepEqual(short.Align.Pairs, pairs.Rules{Differ: []string{"series"}, Order: "older", Days: 30}) || filepath.Base(short.Align.Ignore) != "p.txt" {
		t.Errorf("%+v, %+v", short.Sources, short.Align)
	}
	if all, err := load("sources: [{name: a, files: [a]}]\nreuse: {}\nlabel: {datasets: [triples]}\n"); err != nil || all.Sources[0].Role != "both" || all.Label.Datasets[0] != DataTriples {
		t.Errorf("%v", err)
	}
	if none, err := load("sources: [{name: a, files: [a]}]\n"); err != nil || none.Sources[0].Role != "source" {
		t.Errorf("%v", err)
	}
	for text, want := range map[string]string{
		"reuse: {}\nalign: {pairs: {days: 3}}": "both there", "reuse: {order: newer}": "c.yaml:3: reuse.order is", "reuse: {days: -1}": "c.yaml:3: reuse.days is", "align: {pairs: {order: newer}}": "c.yaml:3: align.pairs.order is", "reuse: {series: x}": "unknown key",
	} {
		if _, err := load("sources: [{name: a, files: [a]}]\n" + text + "\n"); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
