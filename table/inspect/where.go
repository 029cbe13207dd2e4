package inspect

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

var condition = regexp.MustCompile(`^\s*([a-z0-9_]+)(?:\.([^\s<>=!~]+))?\s*(<=|>=|!=|==|=|<|>|~)\s*(.*?)\s*$`)

// ParseWhere reads a condition on a table's rows: comparisons of a column with a
// value, joined by and. The comparisons are = != < <= > >= and, for strings, ~
// (contains). Values may stand in quotation marks.
//
//	score > 3 and text ~ "the sea"
//
// A field of metadata is written behind a point. Two numbers are compared as numbers. Of
// several fields of a name one must satisfy the condition, and a row without it does not.
//
//	metadata.series = penny and source_metadata.volume > 9
func ParseWhere(name, where string) (func(table.Row) bool, error) {
	t, ok := table.Named(name)
	if !ok {
		return nil, fmt.Errorf("there is no table %q; there are %s", name, strings.Join(names(), ", "))
	}
	columns := t.Describe().Columns
	var all []func(table.Row) bool
	for _, part := range splitAnd(where) {
		m := condition.FindStringSubmatch(part)
		if m == nil {
			return nil, fmt.Errorf("%q is no condition: write column, comparison (= != < <= > >= ~), value", part)
		}
		n := slices.IndexFunc(columns, func(c table.Column) bool { return c.Name == m[1] })
		if n < 0 {
			return nil, fmt.Errorf("table %s has no column %q", name, m[1])
		}
		one, err := compareWith(columns[n], m[3], m[4])
		if isFields(columns[n]) {
			one, err = compareField(columns[n].Name, m[2], m[3], m[4])
		} else if m[2] != "" {
			return nil, fmt.Errorf("table %s has no column %q with fields", name, m[1])
		}
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return func(r table.Row) bool {
		for _, one := range all {
			if !one(r) {
				return false
			}
		}
		return true
	}, nil
}

// splitAnd splits at the word and outside of quotation marks.
func splitAnd(s string) []string {
	var parts []string
	quoted, from := false, 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quoted:
			i++
		case s[i] == '"':
			quoted = !quoted
		case !quoted && strings.HasPrefix(s[i:], " and "):
			parts = append(parts, s[from:i])
			from = i + len(" and ")
			i = from - 1
		}
	}
	return append(parts, s[from:])
}

func compareWith(c table.Column, operator, value string) (func(table.Row) bool, error) {
	if strings.HasPrefix(value, `"`) {
		unquoted, err := strconv.Unquote(value)
		if err != nil {
			return nil, fmt.Errorf("%s %s %s: the quotation marks do not match", c.Name, operator, value)
		}
		value = unquoted
	}
	if operator == "~" && !strings.HasPrefix(c.Type, "string") {
		return nil, fmt.Errorf("column %s is %s, and ~ is for strings", c.Name, c.Type)
	}
	bad := func() error {
		return fmt.Errorf("column %s has type %s; %q is not a value of that type", c.Name, c.Type, value)
	}
	switch strings.TrimSuffix(c.Type, " or null") {
	case "string":
		if operator == "~" {
			return func(r table.Row) bool { s, ok := r.Get(c.Name).(string); return ok && strings.Contains(s, value) }, nil
		}
		return comparison(c.Name, operator, value), nil
	case "int64":
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			return comparison(c.Name, operator, n), nil
		}
		return nil, bad()
	case "float64":
		if f, err := strconv.ParseFloat(value, 64); err == nil {
			return comparison(c.Name, operator, f), nil
		}
		return nil, bad()
	case "bool":
		b, err := strconv.ParseBool(value)
		if err != nil {
			return nil, bad()
		}
		switch operator {
		case "=", "==":
			return func(r table.Row) bool { return r.Get(c.Name) == b }, nil
		case "!=":
			return func(r table.Row) bool { return r.Get(c.Name) != b }, nil
		}
	}
	return nil, fmt.Errorf("column %s is %s: %s does not compare it", c.Name, c.Type, operator)
}

// isFields says that a column holds fields, by name and value.
func isFields(c table.Column) bool {
	return len(c.Fields) == 2 && c.Fields[0].Name == "name" && c.Fields[1].Name == "value"
}

func compareField(column, field, operator, value string) (func(table.Row) bool, error) {
	if field == "" {
		return nil, fmt.Errorf("%s has fields: write %s.NAME %s %s", column, column, operator, value)
	}
	if strings.HasPrefix(value, `"`) {
		unquoted, err := strconv.Unquote(value)
		if err != nil {
			return nil, fmt.Errorf("%s.%s %s %s: the quotation marks do not match", column, field, operator, value)
		}
		value = unquoted
	}
	return func(r table.Row) bool {
		fields, _ := r.Get(column).([]commonplace.Field)
		return slices.ContainsFunc(fields, func(f commonplace.Field) bool {
			if f.Name != field {
				return false
			}
			if operator == "~" {
				return strings.Contains(f.Value, value)
			}
			a, errA := strconv.ParseFloat(f.Value, 64)
			b, errB := strconv.ParseFloat(value, 64)
			if errA == nil && errB == nil {
				return holds(a, operator, b)
			}
			return holds(f.Value, operator, value)
		})
	}, nil
}

func comparison[V cmp.Ordered](name, operator string, value V) func(table.Row) bool {
	return func(r table.Row) bool {
		x, ok := r.Get(name).(V)
		return ok && holds(x, operator, value)
	}
}

func holds[V cmp.Ordered](x V, operator string, value V) bool {
	switch operator {
	case "=", "==":
		return x == value
	case "!=":
		return x != value
	case "<":
		return x < value
	case "<=":
		return x <= value
	case ">":
		return x > value
	default:
		return x >= value
	}
}
