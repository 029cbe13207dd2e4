package ingest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

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
	return "", fetchHost(ctx, t)
}

// fetchHost asks a host for everything on its list, one thing at a time.
func fetchHost(ctx context.Context, t fetchTask) (err error) {
	a, err := sharedArchive(t)
	if err != nil {
		return err
	}
	wants, err := readWants(t.Todo)
	if err != nil {
		return err
	}
	keep, err := a.Keep(t.Host, "commonplace/"+commonplace.Version)
	if err != nil {
		return fmt.Errorf("crawl: %w: %w", storage.ErrRefused, err)
	}
	defer func() { err = errors.Join(err, keep.Close()) }()
	account := newAccount(t, len(wants))
	client := clientOf(t.Manners, account)
	defer account.write()
	for _, w := range wants {
		if err := fetchWant(ctx, t, a, keep, client, account, w); err != nil {
			return err
		}
		account.settled()
	}
	return nil
}

// fetchWant asks for a want's addresses, as long as they are this host's, and for
// each once: [archive.Archive.Resolve] has an end, and were an answer to settle
// nothing, the want is left unsettled and the others go on.
func fetchWant(ctx context.Context, t fetchTask, a *archive.Archive, keep *archive.Keeper, client *fetch.Client, to *account, w archive.Want) error {
	for asked := map[crawl.Address]bool{}; ; {
		o := a.Resolve(w)
		if !o.Ask.Valid() || o.Ask.Host() != t.Host || asked[o.Ask] {
			return nil
		}
		asked[o.Ask] = true
		ask := fetch.Ask{ETag: o.Entry.ETag, Modified: o.Entry.Changed, MaxBytes: w.MaxBytes}
		t.sign(w.Signed, o.Ask, &ask)
		response, failure := client.Get(ctx, o.Ask, ask)
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		if failure == nil {
			to.got(len(response.Raw))
			if err = keep.Response(response); errors.Is(err, warc.ErrRecord) { // of this want alone
				failure = &fetch.Failure{Reason: "broken answer", Detail: err.Error()}
			}
		}
		if failure != nil {
			err = keep.Failure(o.Ask, failure)
		}
		if err != nil {
			return fmt.Errorf("crawl: keep the answer of %s: %w: %w; free some space and run again: what is finished is kept", t.Host, storage.ErrRefused, err)
		}
	}
}

func readWants(path string) ([]archive.Want, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return cache.DecodeLines[archive.Want](path, json.NewDecoder(bufio.NewReader(f)))
}

// archives holds the archive of the round that this process works at: all hosts'
// workers share it.
var archives struct {
	sync.Mutex
	key string
	a   *archive.Archive
}

func (t fetchTask) key() string { return fmt.Sprint(t.Out, "\x00", t.Run, "\x00", t.Round) }

func shareArchive(t fetchTask, a *archive.Archive) {
	archives.Lock()
	defer archives.Unlock()
	archives.key, archives.a = t.key(), a
}

// sharedArchive is the archive of a task's round; a worker elsewhere reads it.
func sharedArchive(t fetchTask) (*archive.Archive, error) {
	archives.Lock()
	defer archives.Unlock()
	if archives.key != t.key() {
		a, err := archive.Load(filepath.Join(t.Out, config.ArchiveFolder), t.Run)
		if err != nil {
			return nil, err
		}
		archives.key, archives.a = t.key(), a
	}
	return archives.a, nil
}

// clients by their manners: a host's pause outlives a round.
var clients struct {
	sync.Mutex
	by       map[string]*fetch.Client
	accounts sync.Map // of hosts
}

// clientOf is this process's client of such manners. It tells the host's account
// of waits.
func clientOf(m fetch.Manners, to *account) *fetch.Client {
	clients.accounts.Store(to.Host, to)
	clients.Lock()
	defer clients.Unlock()
	key := string(storage.MustJSON(m))
	c := clients.by[key]
	if c == nil {
		c = fetch.New(m)
		c.Waiting = func(host string, until time.Time, why string) {
			if v, ok := clients.accounts.Load(host); ok {
				v.(interface{ waits(time.Time, string) }).waits(until, why)
			}
		}
		if clients.by == nil {
			clients.by = map[string]*fetch.Client{}
		}
		clients.by[key] = c
	}
	return c
}
