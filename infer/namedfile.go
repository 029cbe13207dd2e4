package infer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/commonplace/commonplace/bounded"
)

// checkFileName refuses all but the name of a file in a model's own folder. A model
// that somebody else made must not name files elsewhere.
func checkFileName(key, name string) error {
	if !fs.ValidPath(name) || name == "." || strings.Contains(name, "/") || !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("%s is %q, expected the name of a file in the model's folder", key, name)
	}
	return nil
}

// readNamed reads a file of a model folder that has the SHA-256, in hex, that
// model.yaml says.
func readNamed(dir, name, sum string) ([]byte, error) {
	data, err := bounded.ReadFile(filepath.Join(dir, name), bounded.Limits{})
	if err != nil {
		return nil, err
	}
	if is := sha256.Sum256(data); !strings.EqualFold(hex.EncodeToString(is[:]), sum) {
		return nil, fmt.Errorf("%s has the sha256 %x, and %s says %s", name, is, ManifestFile, sum)
	}
	return data, nil
}
