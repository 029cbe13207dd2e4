package bounded

import (
	"bytes"
	"fmt"
)

// maxMarks is how many marks and words a YAML file may have. A parser keeps about 600
// bytes for each.
const maxMarks = 100_000

// CheckYAML refuses YAML that is too long, has too many values, also by its aliases, or is nested
// more deeply than the limit, before a parser follows it: the time of parsers grows
// with the square of the depth.
func CheckYAML(raw []byte, l Limits) error {
	if l = l.WithDefaults(); int64(len(raw)) > l.Settings {
		return Over("settings", l.Settings, "the YAML has more than %d bytes", l.Settings)
	}
	if err := checkNested(raw, l.Depth); err != nil {
		return err
	}
	if marks(raw) > maxMarks {
		return fmt.Errorf("the YAML has more than %d marks and words: over the limit, which is fixed", maxMarks)
	}
	return checkAliases(raw)
}

// marks counts the places where a parser may find a new token: every run of spaces and
// line ends, and every mark that begins or ends a token. Comments and long texts count
// for too much.
func marks(raw []byte) (n int) {
	space := true
	for _, b := range raw {
		switch b {
		case ' ', '\t', '\n':
			if !space {
				n++
			}
			space = true
			continue
		case '\r', ',', ':', '[', ']', '{', '}', '"', '\'', '#', '&', '*', '!', '|', '>', '%', '@', '`':
			n++
		}
		space = false
	}
	return n
}

func checkNested(raw []byte, most int64) error {
	var columns []int // where the open blocks begin
	flow := int64(0)
	for line := range bytes.Lines(raw) {
		text := bytes.TrimLeft(line, " ")
		at := len(line) - len(text)
		if text = bytes.TrimSpace(text); len(text) == 0 || text[0] == '#' {
			continue
		}
		for {
			for len(columns) > 0 && columns[len(columns)-1] >= at {
				columns = columns[:len(columns)-1]
			}
			columns = append(columns, at)
			if len(text) < 2 || text[0] != '-' && text[0] != '?' || text[1] != ' ' {
				break
			}
			rest := bytes.TrimLeft(text[1:], " ") // a list in a list, on one line
			at += len(text) - len(rest)
			text = rest
			if int64(len(columns)) > most {
				break
			}
		}
		for i := 0; i < len(text); i++ {
			switch text[i] {
			case '"', '\'':
				i = quotedTo(text, i)
			case '[', '{':
				flow++
			case ']', '}':
				flow = max(0, flow-1)
			}
			if flow+int64(len(columns)) > most {
				return Over("depth", most, "the YAML is nested more than %d deep", most)
			}
		}
	}
	return nil
}

// quotedTo is where a text in quotation marks ends that begins here, in the same line.
// Where it is not certain that a parser takes it for one, it is the place itself, and
// brackets that follow count: to count too many is safe, and too few is not.
func quotedTo(text []byte, at int) int {
	before := bytes.TrimRight(text[:at], " ")
	if len(before) > 0 {
		switch last := before[len(before)-1]; {
		case last == '[', last == '{', last == ',':
		case last == ':' && len(before) < at:
		default:
			return at
		}
	}
	for end := at + 1; end < len(text); end++ {
		switch {
		case text[end] == text[at]:
			return end
		case text[end] == '\\' && text[at] == '"':
			end++
		}
	}
	return at
}

// Parsed runs a parser over foreign input. A panic of the parser becomes an error, for a
// fault of a library must not end a run: goccy/go-yaml 1.19.2 has no node where a number
// bears an unknown tag, "inputs: !0 0".
func Parsed(parse func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the parser fails on it: %v", fault)
		}
	}()
	return parse()
}
