package main

import (
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
)

// All that a command prints passes through these two: titles, texts, names and
// the words of servers must not command the terminal.
var (
	stdout = &printable{to: os.Stdout}
	stderr = &printable{to: os.Stderr}
)

// bars is for what draws on the terminal itself, and prints nothing from outside.
var bars = os.Stderr

// printable writes text as [commonplace.Printable] has it.
type printable struct {
	mu   sync.Mutex
	to   io.Writer
	rest []byte // the beginning of a character whose end is still to come
}

func (w *printable) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := p
	if len(w.rest) > 0 {
		b = append(w.rest, p...)
	}
	whole := len(b)
	for i := max(0, len(b)-utf8.UTFMax+1); i < len(b); i++ {
		if utf8.RuneStart(b[i]) && !utf8.FullRune(b[i:]) {
			whole = i
			break
		}
	}
	_, err := io.WriteString(w.to, commonplace.Printable(string(b[:whole])))
	w.rest = append([]byte(nil), b[whole:]...)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// oneLine is a text from outside in a line of ours: its own newlines are shown,
// and do not begin lines that we seem to say.
func oneLine(text string) string {
	return strings.ReplaceAll(commonplace.Printable(text), "\n", `\n`)
}
