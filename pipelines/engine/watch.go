package engine

import (
	"context"
	"slices"
	"time"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// watch reports how many shards are made and what was read for them, until the
// context ends.
func watch(ctx context.Context, pl *stagePlan, step func(Progress)) {
	p := Progress{Of: len(pl.tasks)}
	waiting := pl.stale
	before, metered := pl.stage.meter(ctx)
	if metered {
		p.Expected = pl.expected
	}
	pause := 250 * time.Millisecond
	if storage.Remote(pl.tasks[0].Out) { // each look is a request, and is paid for
		pause = 10 * time.Second
	}
	Repeat(ctx, pause, func() {
		waiting = slices.DeleteFunc(slices.Clone(waiting), func(t Task) bool {
			rec, err := table.ReadTask(ctx, storage.Default, t.Out, t.Table, t.Shard, t.Of)
			return err == nil && table.Fresh(rec, t.Fingerprint)
		})
		p.Done = p.Of - len(waiting)
		if now, ok := pl.stage.meter(ctx); ok {
			p.Read = Meter{now.Units - before.Units, now.Tokens - before.Tokens, now.Kept - before.Kept}
		}
		step(p)
	})
}

// Repeat does something again and again until the context ends.
func Repeat(ctx context.Context, pause time.Duration, do func()) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do()
		}
	}
}
