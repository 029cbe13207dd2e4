package inspect

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// most is how many rows are kept to be sorted where all are asked for.
const most = 1_000_000

// sorted yields the selected rows in the order of a column. It keeps the first of
// them, as many as are asked for, and drops the rest as it goes.
func sorted(ctx context.Context, files storage.FileSystem, run, name string, s Selection) iter.Seq2[table.Row, error] {
	return func(yield func(table.Row, error) bool) {
		column, greatest := strings.CutPrefix(s.Sort, "-")
		want := int(s.Offset + s.Limit)
		if s.Limit == 0 {
			want = most
		}
		lying := s
		lying.Sort, lying.Offset, lying.Limit = "", 0, 0
		if hidden := len(s.Columns) > 0 && !slices.Contains(s.Columns, column); hidden {
			lying.Columns = append(slices.Clone(s.Columns), column)
		}
		order := func(a, b table.Row) int {
			if greatest {
				a, b = b, a
			}
			return compare(a.Get(column), b.Get(column))
		}
		var kept []table.Row
		cut := func() {
			slices.SortStableFunc(kept, order)
			clear(kept[min(want, len(kept)):])
			kept = kept[:min(want, len(kept))]
		}
		for row, err := range Rows(ctx, files, run, name, lying) {
			if err != nil {
				yield(nil, err)
				return
			}
			if kept = append(kept, row); s.Limit > 0 && len(kept) >= 2*want+1000 {
				cut()
			} else if len(kept) > most {
				yield(nil, fmt.Errorf("%s has more than %d rows to sort: say how many are wanted with --limit, or choose with --where", name, most))
				return
			}
		}
		cut()
		for i, row := range kept {
			if int64(i) < s.Offset {
				continue
			}
			if len(s.Columns) > 0 {
				row = slices.DeleteFunc(row, func(c table.Cell) bool { return !slices.Contains(s.Columns, c.Column) })
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// compare orders two cells of a column; a null is least.
func compare(a, b any) int {
	if a == nil || b == nil {
		return cmp.Compare(btoi(a != nil), btoi(b != nil))
	}
	switch x := a.(type) {
	case int64:
		return cmp.Compare(x, b.(int64))
	case float64:
		return cmp.Compare(x, b.(float64))
	case bool:
		return cmp.Compare(btoi(x), btoi(b.(bool)))
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

func btoi(is bool) int {
	if is {
		return 1
	}
	return 0
}
