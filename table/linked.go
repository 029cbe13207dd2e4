package table

import (
	"context"
	"fmt"

	"github.com/commonplace/commonplace/storage"
)

// A run's folder may come from somebody else. A link there in the place of a folder of a
// night would lead a build out of the run: it would write and remove files of its own
// names in whatever folder the link leads to, such as a night of another run. So no such
// link is followed.

// RefuseLink is [storage.ErrDamaged] where a folder that a run writes into is a link. The
// run's own folder may be one. Folders of a bucket are none.
func RefuseLink(ctx context.Context, folder string) error {
	if !isLink(ctx, storage.Default, folder) {
		return nil
	}
	return fmt.Errorf("%s: %w: it is a link, and must be a folder of this run; remove it", folder, storage.ErrDamaged)
}

// refuseLinks refuses a night that is a link, or in which one of the folders that a build
// writes into is one.
func refuseLinks(ctx context.Context, dir string) error {
	if storage.Remote(dir) {
		return nil
	}
	folders := []string{dir, RecordsDir(dir, ""), RejectsDir(dir, "")}
	for _, t := range All() {
		folders = append(folders, Dir(dir, t.name()), RecordsDir(dir, t.name()), storage.Join(Dir(dir, t.name()), earlierRecords))
	}
	stages, _ := storage.List(ctx, RejectsDir(dir, "")) // a file of that name is refused when it is written to
	for _, stage := range stages {
		folders = append(folders, RejectsDir(dir, stage))
	}
	for _, folder := range folders {
		if err := RefuseLink(ctx, folder); err != nil {
			return err
		}
	}
	return nil
}
