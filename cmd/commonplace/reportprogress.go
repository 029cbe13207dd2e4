package main

import (
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// reportProgress is a bar on a terminal, and nothing in a pipe.
type reportProgress struct {
	f   *os.File
	bar *progressbar.ProgressBar
	at  string
}

func newReportProgress(f *os.File) *reportProgress { return &reportProgress{f: f} }

// step shows what is done now; a step of unknown length shows that it goes on.
func (p *reportProgress) step(what string, done, of int) {
	if !term.IsTerminal(int(p.f.Fd())) {
		return
	}
	if what != p.at {
		p.end()
		p.at = what
		if of <= 1 {
			of = -1
		}
		p.bar = progressbar.NewOptions(of, progressbar.OptionSetWriter(p.f), progressbar.OptionSetDescription("report  "+what), progressbar.OptionClearOnFinish())
		p.bar.RenderBlank()
	}
	p.bar.Set(done)
}

func (p *reportProgress) end() {
	if p.bar != nil {
		p.bar.Clear()
		p.bar = nil
	}
}
