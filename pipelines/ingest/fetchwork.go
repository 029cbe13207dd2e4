package ingest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/archive"
	"github.com/commonplace/commonplace/crawl/fetch"
	"github.com/commonplace/commonplace/crawl/warc"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage"
)

// fetchKind names the jobs of fetching for the runner.
const fetchKind = "fetch"

func init() {
	runner.Register(fetchKind, runner.Handler{
		Work:   workOffHost,
		Shared: func() any { return &fetcher{} },
		Errors: map[string]error{"config": config.ErrInvalid, "storage": storage.ErrRefused},
	})
}

// workOffHost works off a host's list: the archive holds what was fetched. Of a
// host there is one element, so it never runs twice at once but when a runner
// tries again, and then goes on where it was.
func workOffHost(ctx context.Context, element string) (string, error) {
	var t fetchTask
	if err := json.Unmarshal([]byte(element), &t); err != nil {
		return "", fmt.Errorf("task: %w", err)
	}
	return "", runner.Shared[*fetcher](ctx).fetchHost(ctx, t)
}

// fetchHost asks a host for everything on its list, one thing at a time.
func (f *fetcher) fetchHost(ctx context.Context, t fetchTask) (err error) {
	a, err := f.archiveOf(t)
	if err != nil {
		return err
	}
	targets, err := readTargets(t.Todo)
	if err != nil {
		return err
	}
	keep, err := a.Keep(t.Host, "commonplace/"+commonplace.Version)
	if err != nil {
		return fmt.Errorf("crawl: %w: %w", storage.ErrRefused, err)
	}
	defer func() { err = errors.Join(err, keep.Close()) }()
	progress := newHostProgress(t, len(targets))
	client := f.clientOf(t, progress)
	defer progress.write()
	for _, w := range targets {
		if err := fetchTarget(ctx, t, a, keep, client, progress, w); err != nil {
			return err
		}
		progress.settled()
	}
	return nil
}

// fetchTarget asks for a target's addresses, as long as they are this host's, and for
// each once: [archive.Archive.Resolve] has an end, and were an answer to settle
// nothing, the target is left unsettled and the others go on.
func fetchTarget(ctx context.Context, t fetchTask, a *archive.Archive, keep *archive.Keeper, client *fetch.Client, to *hostProgress, w archive.Target) error {
	for asked := map[crawl.Address]bool{}; ; {
		o := a.Resolve(w)
		if !o.Next.Valid() || o.Next.Host() != t.Host || asked[o.Next] {
			return nil
		}
		asked[o.Next] = true
		request := fetch.Request{ETag: o.Entry.ETag, Modified: o.Entry.Changed, MaxBytes: w.MaxBytes}
		t.sign(w.Signed, o.Next, &request)
		response, failure := client.Get(ctx, o.Next, request)
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		if failure == nil {
			to.got(len(response.Raw))
			if err = keep.Response(response); errors.Is(err, warc.ErrRecord) { // of this target alone
				failure = &fetch.Failure{Reason: "broken answer", Detail: err.Error()}
			}
		}
		if failure != nil {
			err = keep.Failure(o.Next, failure)
		}
		if err != nil {
			return fmt.Errorf("crawl: keep the answer of %s: %w: %w; free some space and run again: what is finished is kept", t.Host, storage.ErrRefused, err)
		}
	}
}

func readTargets(path string) ([]archive.Target, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return cache.DecodeLines[archive.Target](path, json.NewDecoder(bufio.NewReader(f)))
}
