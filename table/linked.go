package table

import (
	"context"

	"github.com/commonplace/commonplace/storage"
)

// refuseLinks refuses a night that is a link, or in which one of the folders that a build
// writes into is one: the build would work in another run. See [storage.RefuseLink].
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
		if err := storage.RefuseLink(ctx, folder); err != nil {
			return err
		}
	}
	return nil
}
