package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/engine"
)

// fetching shows how far fetching is, on a terminal, in one line that is
// written over and over. A log has it now and then.
func (p *progress) fetching(r engine.FetchReport) {
	if !p.terminal {
		p.now.fetching(r)
	} else {
		fmt.Fprint(p.w, "\r\x1b[K"+oneLine(fetchLine(r, time.Now())))
		p.line = true
	}
}

// fetchLine is documents, bytes, the host with the most left to ask, and how
// long it waits and why.
func fetchLine(r engine.FetchReport, now time.Time) string {
	line := fmt.Sprintf("crawl    %d of %d wanted, %s, %.1f MB", r.Settled, r.Wanted, commonplace.CountOf(r.Requests, "answer"), float64(r.Bytes)/1e6)
	busy := slices.DeleteFunc(slices.Clone(r.Hosts), func(h engine.HostReport) bool { return h.Left == 0 })
	if len(busy) == 0 {
		return line
	}
	h := slices.MaxFunc(busy, func(a, b engine.HostReport) int {
		return cmp.Or(cmp.Compare(a.Left, b.Left), cmp.Compare(b.Host, a.Host))
	})
	line += fmt.Sprintf("; %s, %d left", h.Host, h.Left)
	if wait := h.Until.Sub(now); wait > 0 {
		line += ", waits " + wait.Round(100*time.Millisecond).String()
		if h.Why != "" {
			line += " (" + h.Why + ")"
		}
	}
	if n := len(busy) - 1; n > 0 {
		line += fmt.Sprintf("; %s", commonplace.CountOf(n, "more host"))
	}
	return line
}
