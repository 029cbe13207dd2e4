package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/traces"
)

// Once the versions with a forgotten text are removed, nothing says any more what to look
// for. So until a search finds nothing, the run keeps hashes of some pieces of the text,
// and the same command can look again.

// soughtFile holds these hashes, in the run's folder.
const soughtFile = "sought.json"

// soughtFormat is the version of the file's shape.
const soughtFormat = 1

// A copy of SoughtBytes in a row of a text is found by the kept hashes, unless it is one
// short pattern over and over, such as a line of stars.
const SoughtBytes = traces.SampledBytes

// leastOfFile is how many pieces are kept of what was found in a file: the least ones in
// the order of their hashes, which are anywhere in the text.
const leastOfFile = 16

type sought struct {
	Format int    `json:"format"`
	Pieces []byte `json:"pieces"` // of [traces.Seal]
}

// readSought reads the hashes that an earlier search left, if any.
func readSought(ctx context.Context, run string) ([]traces.Seal, error) {
	path := storage.Join(run, soughtFile)
	b, err := storage.ReadFile(ctx, path)
	var s sought
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case json.Unmarshal(b, &s) != nil || s.Format < 1 || len(s.Pieces)%len(traces.Seal{}) != 0:
		return nil, config.Refusef("%s does not say which pieces of texts to look for; take it from a backup, or remove it, and then only ids are looked for", path)
	case s.Format > soughtFormat:
		return nil, fmt.Errorf("%s: %w: it has format %d, and this program reads format %d; use the program that wrote it", path, storage.ErrFormat, s.Format, soughtFormat)
	}
	var seals []traces.Seal
	for one := range slices.Chunk(s.Pieces, len(traces.Seal{})) {
		seals = append(seals, traces.Seal(one))
	}
	return seals, nil
}

func writeSought(ctx context.Context, run string, seals []traces.Seal) error {
	s := sought{Format: soughtFormat}
	for _, seal := range seals {
		s.Pieces = append(s.Pieces, seal[:]...)
	}
	return storage.WriteFile(ctx, storage.Join(run, soughtFile), append(storage.MustJSON(s), '\n'))
}

// keepSought keeps what to look for next time: nothing once a search found nothing, in
// the folder and in the outputs that it could read.
func keepSought(ctx context.Context, run string, wanted *traces.Wanted, report *ForgetReport) error {
	if len(report.Left) == 0 && !report.outside() {
		err := storage.Default.Remove(ctx, storage.Join(run, soughtFile))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return storage.Wrap("remove", storage.Join(run, soughtFile), err)
	}
	for _, t := range slices.Concat(report.Left, report.Outputs) {
		wanted.AddSample(t.least())
	}
	report.Kept = len(wanted.Sample())
	return writeSought(ctx, run, wanted.Sample())
}

// outside says that an output has pieces that are nobody else's, or may have some.
func (f *ForgetReport) outside() bool {
	return slices.ContainsFunc(f.Outputs, func(t Trace) bool { return len(t.pieces) > 0 }) ||
		slices.ContainsFunc(f.Unread, func(t Trace) bool { return !t.gone })
}

// least is the least of the pieces that were found.
func (t Trace) least() []traces.Seal {
	all := slices.SortedFunc(maps.Values(t.pieces), traces.Seal.Compare)
	return all[:min(len(all), leastOfFile)]
}
