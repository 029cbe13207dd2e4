package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/commonplace/commonplace"
)

// All that a command prints passes through these two: titles, texts, names and
// the words of servers must not command the terminal.
var (
	stdout = commonplace.NewPrintableWriter(os.Stdout)
	stderr = commonplace.NewPrintableWriter(os.Stderr)
)

// bars is for what draws on the terminal itself, and prints nothing from outside.
var bars = os.Stderr

// coloured says that results go to a terminal on which words may be bold.
func coloured() bool { return term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("NO_COLOR") == "" }

// oneLine is a text from outside in a line of ours: its own newlines are shown,
// and do not begin lines that we seem to say.
func oneLine(text string) string {
	return strings.ReplaceAll(commonplace.Printable(text), "\n", `\n`)
}

// several is a number with the word for what is counted: 1 place, 2 places.
func several(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
