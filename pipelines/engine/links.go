package engine

import (
	"context"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage"
)

// refuseLinks refuses a run's folder in which a link stands for a folder that the run
// writes into beside its tables. Package table does the same with its own, and package
// archive with the files of an archive.
func refuseLinks(ctx context.Context, home string) error {
	for _, name := range []string{cache.Folder, cache.OldFolder, config.ArchiveFolder, outputsFolder, runner.TempFolder} {
		if err := storage.RefuseLink(ctx, storage.Join(home, name)); err != nil {
			return err
		}
	}
	return nil
}
