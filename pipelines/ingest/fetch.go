package ingest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/archive"
	"github.com/commonplace/commonplace/crawl/fetch"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Fetching comes before the stage crawl, where a source is fetched: it fills the
// archive, which the stage then reads like files. It goes in rounds. A round is
// a Beam job with a task for each host, because politeness is one worker's
// affair: no other asks that host while the round lasts. A redirect to another
// host, or another host's copy of what was not to be had, is the next round's.

// mostRounds is more than the redirects of a target and its mirrors take.
const mostRounds = 100

// fetchAll asks for everything that the sources want and the archive does not
// have in the present pass. What it returns is for the user.
func fetchAll(ctx context.Context, r engine.Request) (notes []string, err error) {
	var sources []config.Source
	for _, s := range r.Config.Sources {
		if s.Fetched() {
			sources = append(sources, s)
		}
	}
	lists := r.Config.FetchedLists()
	for _, q := range lists {
		sources = append(sources, r.Config.SourceOf(q))
	}
	if len(sources) == 0 {
		return nil, nil
	}
	if r.Config.NeedsContact() { // nobody's by default, so that every config can be looked at
		return nil, r.Config.Refuse("crawl.contact", "", config.ContactIs)
	}
	if err := checkKeys(r.Config); err != nil {
		return nil, err
	}
	began := time.Now()
	folder := archiveFolder(r.Config)
	if r.Config.Crawl.Archive != "" { // of several runs, perhaps
		release, err := lockArchive(ctx, folder)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	run := strconv.FormatInt(began.UnixNano(), 36)
	forgotten, err := engine.ReadForgotten(ctx, r.Config.Out)
	if err != nil {
		return nil, err
	}
	a, err := archive.Load(folder, run)
	if err != nil {
		return nil, err
	}
	if r.Offline {
		if err := checkFetched(ctx, a, sources, forgotten); err != nil {
			return nil, err
		}
		return nil, writeLists(ctx, a, r.Config)
	}
	pass := a.Pass()
	if pass.Done && outOfDate(pass.Ended, began, r.Config.Crawl.Refresh) {
		pass = archive.Pass{Number: pass.Number + 1}
		if err := a.SetPass(ctx, pass); err != nil {
			return nil, err
		}
	}
	f, total := &fetcher{}, engine.FetchCount{}
	asked, unsettled := map[crawl.Address]bool{}, 0
	for round := 0; ; round++ {
		todo, all, left, err := pending(ctx, a, sources, forgotten, asked)
		if err != nil {
			return nil, err
		}
		if unsettled = left; len(todo) == 0 {
			break
		}
		if round == mostRounds {
			unsettled += len(todo)
			break
		}
		if err := f.fetchRound(ctx, r, a, fetchTask{Out: r.Config.Out, Archive: folder, Run: run, Round: round}, todo, all, &total); err != nil {
			return nil, err
		}
		if a, err = archive.Load(folder, run); err != nil {
			return nil, err
		}
	}
	switch {
	case unsettled > 0: // they are refused as not fetched, and the next run tries again
		notes = append(notes, fmt.Sprintf("%d addresses were not asked for again, because earlier answers settled nothing", unsettled))
	case !pass.Done:
		if err := a.SetPass(ctx, archive.Pass{Number: pass.Number, Done: true, Ended: time.Now().UTC().Format(time.RFC3339)}); err != nil {
			return nil, err
		}
	}
	if err := writeLists(ctx, a, r.Config); err != nil {
		return nil, err
	}
	if total.Requests > 0 {
		notes = append(notes, fmt.Sprintf("fetched %d answers, %d bytes, in %s", total.Requests, total.Bytes, time.Since(began).Round(time.Second)))
	}
	return notes, nil
}

// outOfDate says that what ended then is to be gone over again now. An end that is
// still to come, by more than clocks differ, was set by one that was wrong, and says
// nothing of its age.
func outOfDate(ended string, now time.Time, refresh time.Duration) bool {
	end, err := time.Parse(time.RFC3339, ended)
	age := now.Sub(end)
	return err != nil || age >= refresh || age < -time.Hour
}

// pending are the targets that an address has to be asked for, by its host; all is
// how many there are with those that are settled. What a source needs first
// comes first, in a round of its own. Asked are the addresses of earlier rounds,
// and left is how many targets these have not settled.
func pending(ctx context.Context, a *archive.Archive, sources []config.Source, forgotten engine.Forgotten, asked map[crawl.Address]bool) (todo map[string][]archive.Target, all, left int, err error) {
	todo = map[string][]archive.Target{}
	var now []crawl.Address
	defer func() {
		for _, address := range now {
			asked[address] = true
		}
	}()
	ask := func(w archive.Target) {
		all++
		o := a.Resolve(w)
		if !o.Next.Valid() {
			return
		}
		if asked[o.Next] { // its answer settles nothing: it is not asked for again and again
			left++
			return
		}
		now = append(now, o.Next)
		todo[o.Next.Host()] = append(todo[o.Next.Host()], w)
	}
	plans := make([]planned, len(sources))
	for i, s := range sources {
		if plans[i], err = kinds[s.Kind].remote.plan(ctx, a, s); err != nil {
			return nil, 0, 0, fmt.Errorf("crawl: source %s: %w", s.Name, err)
		}
		for _, w := range plans[i].needs {
			ask(w)
		}
	}
	if len(todo) > 0 {
		return todo, all, left, nil
	}
	for _, p := range plans {
		for _, d := range p.documents {
			if forgotten.Has(d.ID) {
				continue
			}
			for _, w := range d.Targets {
				ask(w)
			}
		}
	}
	return todo, all, left, nil
}

// fetchTask names what a host's worker has to ask for.
type fetchTask struct {
	Out string `json:"out"`

	Archive string       `json:"archive"` // folder of the answers
	Run     string       `json:"run"`
	Round   int          `json:"round"`
	Host    string       `json:"host"`
	Todo    string       `json:"todo"` // file of targets, one a line
	Policy  fetch.Policy `json:"manners"`
	Hosts   int          `json:"hosts"` // at once in one process
	Keys    []keys       `json:"keys,omitempty"`
}

// fetchFolder is where a round's lists and the workers' progress lie.
func fetchFolder(out string) string {
	return filepath.Join(table.Home(out), runner.TempFolder, "fetch")
}

// fetchRound runs one job: a task for each host.
func (f *fetcher) fetchRound(ctx context.Context, r engine.Request, a *archive.Archive, t fetchTask, todo map[string][]archive.Target, all int, total *engine.FetchCount) error {
	dir := fetchFolder(t.Out)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make %s: %w: %w", dir, storage.ErrRefused, err)
	}
	t.Policy, t.Hosts, t.Keys = r.Config.Crawl.Policy(), r.Config.Crawl.Hosts, keysOfSources(r.Config)
	var elements []string
	left := 0
	for i, host := range slices.Sorted(maps.Keys(todo)) {
		t.Host, t.Todo = host, filepath.Join(dir, fmt.Sprintf("%05d.todo", i))
		if err := writeTargets(t.Todo, todo[host]); err != nil {
			return err
		}
		elements = append(elements, string(storage.MustJSON(t)))
		left += len(todo[host])
	}
	f.startRound(t, a)
	watching, stop := context.WithCancel(ctx)
	reported := watchFetch(watching, r, dir, engine.FetchReport{Wanted: all, Settled: all - left, Requests: total.Requests, Bytes: total.Bytes})
	_, err := r.RunJob(ctx, runner.Job{Kind: fetchKind, Name: "crawl", Elements: elements, Shared: f, AtOnce: t.Hosts})
	stop()
	<-reported
	sum := fetchCounts(dir)
	total.Requests, total.Bytes = total.Requests+sum.Requests, total.Bytes+sum.Bytes
	return err
}

// writeTargets writes a host's list.
func writeTargets(path string, targets []archive.Target) error {
	f, err := os.Create(path)
	if err != nil {
		return storage.Wrap("write", path, err)
	}
	w := bufio.NewWriter(f)
	for _, target := range targets {
		w.Write(storage.MustJSON(target))
		w.WriteByte('\n')
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		return storage.Wrap("write", path, err)
	}
	return nil
}
