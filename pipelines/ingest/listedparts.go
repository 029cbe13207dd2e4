package ingest

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
)

// To list a source is to hash all its bytes, and to open every archive. Workers do it
// where the source is large, each for some neighbouring files; the machine that submits
// the build knows names alone. It reads what they found in the order of the files, so
// the items are those that one machine would have listed.

// What one element lists at most. Variables for the tests.
var (
	listedBytes   = int64(1 << 30) // of files
	listedVolumes = 2000
)

// mostListedParts is about how many elements a source has at most.
const mostListedParts = 4096

// listedKind begins the names of the files of the cache that hold names to be listed
// and what workers found. They are gone when the source is listed.
const listedKind = "listed"

// listedPart is one element: neighbouring files of a source.
type listedPart struct {
	Source config.Source `json:"source"`
	Names  inputsSection `json:"names"`
	To     string        `json:"to"`
}

// partLister is a source reader whose files workers can list.
type partLister interface {
	sourceReader
	on(w workers) sourceReader
	// listPart puts a row of what there is to say for the files whose names are given, in their order.
	listPart(ctx context.Context, p listedPart, put func(row any) error) error
}

var listedParts = engine.NewPreparation("list", listTo)

// listTo lists the files of a part into its file of the cache.
func listTo(ctx context.Context, p listedPart) error {
	if err := cache.Ensure(ctx, p.Names.Path); err != nil {
		return err
	}
	lister, ok := kinds[p.Source.Kind].local.(partLister)
	if !ok {
		return fmt.Errorf("a source of kind %s is not listed by workers; this is a fault of the program", p.Source.Kind)
	}
	return cache.WriteChecksummed(ctx, p.To, func(put func(any) error) error { return lister.listPart(ctx, p, put) })
}

// workers list files. The zero workers are none, as where a build is only planned.
type workers struct {
	out string
	run func(context.Context, []listedPart) error
}

func workersOf(p *engine.Planner) workers {
	r, ok := p.Building()
	if !ok {
		return workers{}
	}
	return workers{p.Config.Out, func(ctx context.Context, parts []listedPart) error {
		return listedParts.Run(ctx, r, parts, 0)
	}}
}

// spread has workers list files, cut into parts before the numbers of cuts, and takes each
// row that they put, with the number of its part's first file.
func spread[Name, Row any](ctx context.Context, w workers, s config.Source, names []Name, cuts []int, take func(first int, row Row) error) error {
	parts, err := writeNames(ctx, w.out, s, names, cuts)
	if err != nil {
		return notListed{err}
	}
	defer cache.Remove(ctx, parts[0].Names.Path)
	if err := w.run(ctx, parts); err != nil {
		return notListed{err}
	}
	for i, p := range parts {
		rows, err := cache.ReadLines[Row](ctx, p.To)
		if err != nil {
			return notListed{err}
		}
		for _, row := range rows {
			if err := take(cuts[i], row); err != nil {
				return err
			}
		}
		if err := cache.Remove(ctx, p.To); err != nil {
			return notListed{err}
		}
	}
	return nil
}

// notListed is an error of the workers, and no fault of the configuration.
type notListed struct{ error }

func (e notListed) Unwrap() error { return e.error }

// writeNames writes the names of files into one file of the cache, a section for each part.
func writeNames[Name any](ctx context.Context, out string, s config.Source, names []Name, cuts []int) ([]listedPart, error) {
	path := cache.Path(out, listedKind, s.Name, rand.Text())
	parts := make([]listedPart, len(cuts))
	err := cache.Publish(ctx, path, func(w *bufio.Writer) error {
		at := int64(0)
		for i, first := range cuts {
			end := len(names)
			if i+1 < len(cuts) {
				end = cuts[i+1]
			}
			sum, bytes := sha256.New(), int64(0)
			for _, name := range names[first:end] {
				row := append(storage.MustJSON(name), '\n')
				sum.Write(row)
				bytes += int64(len(row))
				if _, err := w.Write(row); err != nil {
					return err
				}
			}
			parts[i] = listedPart{s, inputsSection{path, at, bytes, hex.EncodeToString(sum.Sum(nil))}, cache.Path(out, listedKind, path, i)}
			at += bytes
		}
		return nil
	})
	return parts, err
}

// namesOf are the names of a part's files.
func namesOf[Name any](ctx context.Context, p listedPart) ([]Name, error) {
	var names []Name
	for name, err := range cache.CheckedRows[Name](ctx, p.Names.Path, p.Names.Begin, p.Names.Bytes, p.Names.SHA256) {
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// cutsByNumber are the numbers before which a list of volumes is cut.
func cutsByNumber(volumes int) []int {
	most := max(listedVolumes, volumes/mostListedParts)
	var cuts []int
	for i := 0; i < volumes; i += most {
		cuts = append(cuts, i)
	}
	return cuts
}
