package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Somebody may demand that a document be removed, and its source may have it for ever. So
// a run keeps a list of what it was told to forget, and no build takes that in. The list
// holds hashes: it is no trace of the documents either.

// forgottenFile is that list, in the run's folder.
const forgottenFile = "forgotten.json"

// forgottenFormat is the version of the file's shape.
const forgottenFormat = 1

// Forgotten are the documents that a run was told to forget. The zero value is none.
type Forgotten struct {
	Format    int      `json:"format"`
	Documents []string `json:"documents"`         // SHA-256 of their ids, see hashOfID
	Pending   bool     `json:"pending,omitempty"` // versions and the archive may still have some
}

// hashOfID is what the list has of an id.
func hashOfID(id string) string {
	sum := sha256.Sum256([]byte("document " + id))
	return hex.EncodeToString(sum[:])
}

// Has says that a document was forgotten.
func (f Forgotten) Has(id string) bool {
	if len(f.Documents) == 0 {
		return false
	}
	_, has := slices.BinarySearch(f.Documents, hashOfID(id))
	return has
}

// ReadForgotten reads the list of a run, or of the run of a version.
func ReadForgotten(ctx context.Context, out string) (Forgotten, error) {
	path := storage.Join(table.Home(out), forgottenFile)
	b, err := storage.ReadFile(ctx, path)
	var f Forgotten
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return f, err
	case json.Unmarshal(b, &f) != nil || !slices.IsSorted(f.Documents):
		return f, config.Refusef("%s does not say which documents were forgotten; without it they would come back, so take it from a backup, or remove it and forget them again", path)
	case f.Format > forgottenFormat:
		return f, fmt.Errorf("%s: %w: it has format %d, and this program reads format %d; use the program that wrote it", path, storage.ErrFormat, f.Format, forgottenFormat)
	}
	return f, nil
}

func (f Forgotten) write(ctx context.Context, out string) error {
	f.Format = forgottenFormat
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return storage.WriteFile(ctx, storage.Join(table.Home(out), forgottenFile), append(b, '\n'))
}

// add adds documents to the list.
func (f Forgotten) add(ids []string) Forgotten {
	for _, id := range ids {
		f.Documents = append(f.Documents, hashOfID(id))
	}
	slices.Sort(f.Documents)
	f.Documents, f.Pending = slices.Compact(f.Documents), true
	return f
}

// Forgetter is a stage that keeps what documents were made from, such as answers of
// servers, and can remove it.
type Forgetter interface {
	Forget(ctx context.Context, c *config.Config, f Forgotten) (removed int, err error)
}

// purge removes what a run still has of forgotten documents once readers have a version
// without them: all other versions, answers in the archive, the cache of
// stages that the config does not ask for. A build that is killed here is followed by one
// that does it again.
func purge(ctx context.Context, r Request, f Forgotten) error {
	if err := r.night.Forget(ctx); err != nil {
		return err
	}
	enabled, err := selected(r.Config, nil)
	if err != nil {
		return err
	}
	for _, s := range stages {
		if forgetter, ok := s.impl.(Forgetter); ok {
			n, err := forgetter.Forget(ctx, r.Config, f)
			if err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
			if r.forgetting != nil {
				r.forgetting.Answers += n
			}
		}
		if !s.enabled(r.Config) {
			if err := cache.Prune(ctx, cache.Dir(r.Config.Out), nil, s.cacheBeside(enabled)...); err != nil {
				return err
			}
		}
	}
	if known, err := readSought(ctx, r.Config.Out); err == nil && len(known) > 0 && r.forgetting == nil {
		runner.Log(ctx).Warn("forgotten documents are removed now, and nothing was searched for what is left of them: run commonplace forget with them again")
	}
	f.Pending = false
	return f.write(ctx, r.Config.Out)
}
