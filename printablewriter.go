package commonplace

import (
	"io"
	"sync"
	"unicode/utf8"
)

// PrintableWriter writes text as [Printable] has it. It is safe for several goroutines.
type PrintableWriter struct {
	mu   sync.Mutex
	to   io.Writer
	rest []byte // the beginning of a character whose end is still to come
}

// NewPrintableWriter makes one in front of a terminal.
func NewPrintableWriter(to io.Writer) *PrintableWriter { return &PrintableWriter{to: to} }

// Write holds back the beginning of a character until its end comes.
func (w *PrintableWriter) Write(p []byte) (int, error) {
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
	_, err := io.WriteString(w.to, Printable(string(b[:whole])))
	w.rest = append([]byte(nil), b[whole:]...)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}
