package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errors"

	"github.com/commonplace/commonplace/storage"
)

// parts are the files of data beside a page. A file's name is of its content, so that
// the old page has its own files until the new one is there.
type parts struct {
	ctx    context.Context
	folder string
	names  []string
	bytes  int64
}

func newParts(ctx context.Context, page string) *parts {
	return &parts{ctx: ctx, folder: strings.TrimSuffix(page, filepath.Ext(page)) + "_data"}
}

// write writes one file and returns its address as the page sees it.
func (p *parts) write(content []byte) (string, error) {
	if err := os.MkdirAll(p.folder, 0o777); err != nil {
		return "", err
	}
	name := fmt.Sprintf("part-%x.js", sha256.Sum256(content))[:len("part-")+16] + ".js"
	p.names = append(p.names, name)
	p.bytes += int64(len(content))
	address := &url.URL{Path: filepath.Base(p.folder) + "/" + name}
	return address.String(), storage.Write(p.ctx, storage.Local, filepath.Join(p.folder, name), content)
}

// sweep removes the files of the page before, and the folder if it is empty then.
func (p *parts) sweep() error {
	files, err := os.ReadDir(p.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, f := range files {
		if old, _ := filepath.Match("part-????????????????.js", f.Name()); old && !slices.Contains(p.names, f.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(p.folder, f.Name())))
		}
	}
	if len(p.names) == 0 {
		os.Remove(p.folder) // only where it is empty
	}
	return err
}
