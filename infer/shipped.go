package infer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ModelsVariable is the environment variable that names the folder of the shipped
// models and comes before every other place.
const ModelsVariable = "COMMONPLACE_MODELS"

// Shipped is a model that comes with the program.
type Shipped struct {
	Name   string // that configs use
	Folder string // below models/
	Get    string // the command that makes or fetches it
}

// AllShipped are the models that come with the program.
var AllShipped = []Shipped{
	{"best", "quotability-encoder", "git checkout models/quotability-encoder"},
	{"fast", "quotability-features", "git checkout models/quotability-features"},
}

// ShippedNamed finds a shipped model by its name.
func ShippedNamed(name string) (Shipped, bool) {
	for _, s := range AllShipped {
		if s.Name == name {
			return s, true
		}
	}
	return Shipped{}, false
}

// Find gives the folder of a shipped model: in the folder that COMMONPLACE_MODELS
// names, else in models/ where [Library] looks for lib/: beside the program, or in the
// folder above it.
func (s Shipped) Find() (string, error) {
	var folders []string
	if named := os.Getenv(ModelsVariable); named != "" {
		folders = []string{named}
	} else {
		for _, folder := range installed(testing.Testing()) {
			folders = append(folders, filepath.Join(folder, "models"))
		}
	}
	for _, folder := range folders {
		path := filepath.Join(folder, s.Folder)
		if f, err := os.Stat(filepath.Join(path, ManifestFile)); err == nil && f.Mode().IsRegular() {
			return filepath.Abs(path)
		}
	}
	if named := os.Getenv(ModelsVariable); named != "" {
		return "", fmt.Errorf("%s is the model %s, and %s, which %s names, has no such folder", s.Name, s.Folder, named, ModelsVariable)
	}
	var others []string
	for _, other := range AllShipped {
		if other != s {
			others = append(others, other.Name)
		}
	}
	return "", fmt.Errorf("%s is the model %s, which is not installed: run `%s`, set %s to the folder that holds it, or take %s", s.Name, s.Folder, s.Get, ModelsVariable, strings.Join(others, " or "))
}
