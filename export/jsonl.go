package export

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// jsonRows writes rows as JSON lines: members in the order of the columns, class
// labels by their names, lists never null.
type jsonRows struct {
	to     *file
	value  func(b []byte, v reflect.Value) []byte
	buffer []byte
}

func newJSONRows(to *file, row reflect.Type, labels map[string][]string) *jsonRows {
	return &jsonRows{to: to, value: jsonOf(row, labels)}
}

// write takes a pointer to a row.
func (j *jsonRows) write(row any) error {
	j.buffer = append(j.value(j.buffer[:0], reflect.ValueOf(row).Elem()), '\n')
	_, err := j.to.Write(j.buffer)
	return err
}

func (j *jsonRows) close() error { return j.to.close() }

func (j *jsonRows) file() *file {
	if j == nil {
		return nil
	}
	return j.to
}

// jsonOf makes the function that appends values of a type. Structs are objects
// whose members are the parquet tags.
func jsonOf(t reflect.Type, labels map[string][]string) func([]byte, reflect.Value) []byte {
	switch t.Kind() {
	case reflect.Struct:
		type member struct {
			key   string
			value func([]byte, reflect.Value) []byte
		}
		var members []member
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("parquet"), ",")
			value := jsonOf(t.Field(i).Type, nil)
			if names := labels[name]; names != nil {
				value = jsonOfClass(t.Field(i).Type, names)
			}
			members = append(members, member{"{,"[min(i, 1):min(i, 1)+1] + quoted(name) + ":", value})
		}
		return func(b []byte, v reflect.Value) []byte {
			for i, m := range members {
				b = m.value(append(b, m.key...), v.Field(i))
			}
			return append(b, '}')
		}
	case reflect.Pointer: // an optional value
		value := jsonOf(t.Elem(), nil)
		return func(b []byte, v reflect.Value) []byte {
			if v.IsNil() {
				return append(b, "null"...)
			}
			return value(b, v.Elem())
		}
	case reflect.Slice:
		return jsonOfList(jsonOf(t.Elem(), nil))
	case reflect.String:
		return func(b []byte, v reflect.Value) []byte { return appendString(b, v.String()) }
	case reflect.Int64:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendInt(b, v.Int(), 10) }
	case reflect.Bool:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendBool(b, v.Bool()) }
	}
	return func(b []byte, v reflect.Value) []byte {
		f := v.Float()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return append(b, "null"...)
		}
		return strconv.AppendFloat(b, f, 'g', -1, 64)
	}
}

func jsonOfList(element func([]byte, reflect.Value) []byte) func([]byte, reflect.Value) []byte {
	return func(b []byte, v reflect.Value) []byte {
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = element(b, v.Index(i))
		}
		return append(b, ']')
	}
}

func jsonOfClass(t reflect.Type, names []string) func([]byte, reflect.Value) []byte {
	name := func(b []byte, v reflect.Value) []byte { return appendString(b, names[v.Int()]) }
	if t.Kind() == reflect.Slice {
		return jsonOfList(name)
	}
	return name
}

// appendString is a JSON string with nothing escaped that need not be.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			// U+2028 and U+2029 end a line for some readers of lines.
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == '\u2028' || r == '\u2029' || r == '\u0085' {
				b = append(b, s[from:i]...)
				b = append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
				from = i + size
			}
			i += size
			continue
		}
		b = append(b, s[from:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	return append(append(b, s[from:]...), '"')
}
