package bounded

import "bytes"

// CheckYAML refuses YAML that is nested more deeply than the limit, before a
// parser follows it: the time of parsers grows with the square of the depth.
func CheckYAML(raw []byte, l Limits) error {
	most := l.WithDefaults().Depth
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
		for _, c := range text {
			switch c {
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
