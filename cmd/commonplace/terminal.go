package main

import (
	"os"
	"strings"
	"unicode/utf8"

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

// narrowTerminal is how many columns the terminal of the results has, if they are fewer
// than the lines of this program need; else 0.
func narrowTerminal() int {
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || width < least || width > 85 {
		return 0
	}
	return width
}

// pageWidth is how many columns a page of results may have: those of the terminal, but no
// more than are good to read; 0 where the writer decides.
func pageWidth() int {
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || width < least {
		return 0
	}
	return min(width, 80)
}

// narrowed breaks the lines of a help at words. A paragraph is filled anew; what is
// indented, a list or a flag, goes on under itself.
func narrowed(text string, width int) string {
	var b strings.Builder
	paragraph := ""
	flush := func() {
		if paragraph != "" {
			b.WriteString(wrapped(paragraph, width, "") + "\n")
			paragraph = ""
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		body := strings.TrimLeft(line, " ")
		indent := len(line) - len(body)
		switch {
		case body == "":
			flush()
			b.WriteString("\n")
		case indent == 0:
			if paragraph != "" {
				paragraph += " "
			}
			if paragraph += body; len(line) < 60 { // the last line, or one that stands alone
				flush()
			}
		case utf8.RuneCountInString(line) <= width:
			flush()
			b.WriteString(line + "\n")
		default:
			flush()
			head, rest := cutAt(line, width)
			indent = min(indent+4, width/2)
			b.WriteString(head + "\n" + wrapped(rest, width-indent, strings.Repeat(" ", indent)) + "\n")
		}
	}
	flush()
	return b.String()
}

// oneLine is a text from outside in a line of ours: its own newlines are shown,
// and do not begin lines that we seem to say.
func oneLine(text string) string {
	return strings.ReplaceAll(commonplace.Printable(text), "\n", `\n`)
}
