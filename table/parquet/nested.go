package parquet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// nested is a column of lists, structs or maps of another tool's file. Its values become
// compact JSON, as a line of JSON would have them.
type nested struct {
	at     *parquet.Column
	leaves []*leaf // all below it, in the order of the file
	guard  *guard
}

// nestedValue is a value of a leaf: where it is repeated and null, and its JSON.
type nestedValue struct {
	repeats, defined int
	text             string
}

const nestedValueBytes = 32

// newNested finds the leaves of a column; false says that values of one of them are
// neither text, number, date nor true or false.
func newNested(at *parquet.Column) (*nested, bool) {
	n := &nested{at: at}
	return n, n.add(at)
}

func (n *nested) add(at *parquet.Column) bool {
	if at.Leaf() {
		write := jsonOf(at)
		if write == nil {
			return false
		}
		l := &leaf{index: at.Index(), text: write}
		l.shape = levels{at.MaxRepetitionLevel(), at.MaxDefinitionLevel()}
		n.leaves = append(n.leaves, l)
		return true
	}
	for _, c := range at.Columns() {
		if !n.add(c) {
			return false
		}
	}
	return len(at.Columns()) > 0
}

// next is the JSON of the next row; empty for null.
func (n *nested) next() (string, error) {
	values := make([][]nestedValue, len(n.leaves))
	for i, l := range n.leaves {
		for {
			v, err := l.peek()
			if err == nil && v == nil && values[i] == nil {
				err = fmt.Errorf("column %s: %w", l.cursor.column, errFewer)
			}
			if err != nil {
				return "", err
			}
			if v == nil || values[i] != nil && v.RepetitionLevel() == 0 {
				break
			}
			l.at++
			at := nestedValue{repeats: v.RepetitionLevel(), defined: v.DefinitionLevel()}
			if !v.IsNull() {
				at.text = l.text(v)
			}
			if err := n.guard.make(nestedValueBytes + len(at.text)); err != nil {
				return "", err
			}
			values[i] = append(values[i], at)
		}
	}
	var b bytes.Buffer
	if rest := writeNested(&b, n.at, values); rest == nil || len(rest) > 0 {
		return "", fmt.Errorf("column %s: its fields have lists of different lengths", n.at.Name())
	}
	if b.String() == "null" {
		return "", nil
	}
	return b.String(), nil
}

// writeNested writes one value of a column from the values of its leaves, which come first,
// and gives the other leaves; nil if leaves differ in where lists begin.
func writeNested(b *bytes.Buffer, at *parquet.Column, values [][]nestedValue) [][]nestedValue {
	if !at.Repeated() {
		return writeOne(b, at, values)
	}
	return writeList(b, at, values, func(element [][]nestedValue) [][]nestedValue { return writeOne(b, at, element) })
}

// writeList writes the elements of a column that repeats.
func writeList(b *bytes.Buffer, at *parquet.Column, values [][]nestedValue, write func([][]nestedValue) [][]nestedValue) [][]nestedValue {
	n := leavesOf(at)
	if len(values[0]) == 0 {
		return nil
	}
	if values[0][0].defined < at.MaxDefinitionLevel() {
		b.WriteString("[]")
		return values[n:]
	}
	left := append([][]nestedValue{}, values[:n]...)
	b.WriteByte('[')
	for first := true; len(left[0]) > 0; first = false {
		element := make([][]nestedValue, n)
		for i, all := range left {
			end := min(1, len(all))
			for end < len(all) && all[end].repeats > at.MaxRepetitionLevel() {
				end++
			}
			if end == 0 {
				return nil
			}
			element[i], left[i] = all[:end], all[end:]
		}
		if !first {
			b.WriteByte(',')
		}
		if write(element) == nil {
			return nil
		}
	}
	for _, all := range left {
		if len(all) > 0 {
			return nil
		}
	}
	b.WriteByte(']')
	return values[n:]
}

// writeOne writes a value of a column, or one element of a column that repeats.
func writeOne(b *bytes.Buffer, at *parquet.Column, values [][]nestedValue) [][]nestedValue {
	n := leavesOf(at)
	if len(values[0]) == 0 {
		return nil
	}
	if values[0][0].defined < at.MaxDefinitionLevel() {
		b.WriteString("null")
		return values[n:]
	}
	if at.Leaf() {
		b.WriteString(values[0][0].text)
		return values[n:]
	}
	if inner, key, value := listOrMap(at); key != nil {
		return writeMap(b, inner, key, value, values)
	} else if inner != nil {
		element := inner
		if value != nil {
			element = value
		}
		return writeList(b, inner, values, func(of [][]nestedValue) [][]nestedValue {
			if element != inner {
				return writeNested(b, element, of)
			}
			return writeOne(b, element, of)
		})
	}
	b.WriteByte('{')
	begin, rest := b.Len(), values
	for _, c := range at.Columns() {
		before := b.Len()
		if before > begin {
			b.WriteByte(',')
		}
		b.Write(jsonString(c.Name()))
		b.WriteByte(':')
		from := b.Len()
		if rest = writeNested(b, c, rest); rest == nil {
			return nil
		}
		if string(b.Bytes()[from:]) == "null" { // of a member that a record lacks nothing is said
			b.Truncate(before)
		}
	}
	b.WriteByte('}')
	return rest
}

// writeMap writes an object: the keys are texts, and of any other type their JSON.
func writeMap(b *bytes.Buffer, inner, key, value *parquet.Column, values [][]nestedValue) [][]nestedValue {
	from := b.Len()
	rest := writeList(b, inner, values, func(of [][]nestedValue) [][]nestedValue {
		name := of[0][0].text
		if len(name) == 0 || name[0] != '"' {
			name = string(jsonString(name))
		}
		b.WriteString(name + ":")
		return writeNested(b, value, of[1:])
	})
	if rest != nil {
		b.Bytes()[from], b.Bytes()[b.Len()-1] = '{', '}'
	}
	return rest
}

// listOrMap is the column that repeats inside a list or a map. A map has a key and a value,
// a list a value where its element is a column of its own; both are nil for a list whose
// repeated column is the element, and all for anything else.
func listOrMap(at *parquet.Column) (inner, key, value *parquet.Column) {
	t := at.Type().LogicalType()
	if len(at.Columns()) != 1 || t == nil || !at.Columns()[0].Repeated() {
		return nil, nil, nil
	}
	inner = at.Columns()[0]
	below := inner.Columns()
	switch t.Value.(type) {
	case *format.MapType:
		if len(below) == 2 && below[0].Leaf() {
			return inner, below[0], below[1]
		}
	case *format.ListType: // the rules of the format for lists of old writers
		if len(below) == 1 && inner.Name() != "array" && inner.Name() != at.Name()+"_tuple" {
			return inner, nil, below[0]
		}
		return inner, nil, nil
	}
	return nil, nil, nil
}

func leavesOf(at *parquet.Column) int {
	if at.Leaf() {
		return 1
	}
	n := 0
	for _, c := range at.Columns() {
		n += leavesOf(c)
	}
	return n
}

// jsonOf writes the values of a leaf as JSON; nil if they are none.
func jsonOf(at *parquet.Column) func(*parquet.Value) string {
	write, quoted := plainText(at)
	if write == nil || !quoted {
		return write
	}
	return func(v *parquet.Value) string { return string(jsonString(write(v))) }
}

// jsonString is a text in JSON. Other characters than those that must be are not escaped.
// Bytes that are not UTF-8 stay as they are: the reader of the record refuses them.
func jsonString(s string) []byte {
	if !utf8.ValidString(s) {
		return []byte(`"` + s + `"`)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a text can always be written
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
