package parquet

import (
	"reflect"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// textLeaf reads a column of another tool's file as text: texts, dates, times of a day
// and whole numbers, such as the year of a date.
func textLeaf(at *parquet.Column) (*leaf, bool) {
	if l, ok := newLeaf(at, reflect.String); ok || !at.Leaf() {
		return l, ok
	}
	if write := dateText(at.Type()); write != nil {
		l := &leaf{kind: reflect.String, index: at.Index(), text: write}
		l.shape = levels{at.MaxRepetitionLevel(), at.MaxDefinitionLevel()}
		return l, true
	}
	l, ok := newLeaf(at, reflect.Int64)
	if !ok || !fits(at, reflect.Int64, l) {
		return nil, false
	}
	l.kind, l.text = reflect.String, func(v *parquet.Value) string {
		switch {
		case v.Kind() == parquet.Int64:
			return strconv.FormatInt(v.Int64(), 10)
		case l.unsigned:
			return strconv.FormatUint(uint64(v.Uint32()), 10)
		}
		return strconv.FormatInt(int64(v.Int32()), 10)
	}
	return l, true
}

// dateText writes the values of a type of dates, or of points in time; nil for other
// types. A point in time at midnight is its day. Spark's old type of 96 bits is one.
func dateText(t parquet.Type) func(*parquet.Value) string {
	const secondsOfDay = 24 * 60 * 60
	if t.Kind() == parquet.Int96 {
		const julian1970 = 2440588
		return func(v *parquet.Value) string {
			x := v.Int96()
			return timeText(time.Unix((int64(x[2])-julian1970)*secondsOfDay, int64(uint64(x[1])<<32|uint64(x[0]))), true)
		}
	}
	if t.LogicalType() == nil {
		return nil
	}
	switch of := t.LogicalType().Value.(type) {
	case *format.DateType:
		return func(v *parquet.Value) string { return timeText(time.Unix(int64(v.Int32())*secondsOfDay, 0), false) }
	case *format.TimestampType:
		unit := time.UnixMilli
		switch of.Unit.Value.(type) {
		case *format.MicroSeconds:
			unit = time.UnixMicro
		case *format.NanoSeconds:
			unit = func(n int64) time.Time { return time.Unix(0, n) }
		}
		return func(v *parquet.Value) string { return timeText(unit(v.Int64()), of.IsAdjustedToUTC) }
	}
	return nil
}

func timeText(t time.Time, zone bool) string {
	t = t.UTC()
	switch {
	case t.Equal(t.Truncate(24 * time.Hour)):
		return t.Format(time.DateOnly)
	case zone:
		return t.Format(time.RFC3339Nano)
	}
	return t.Format("2006-01-02T15:04:05.999999999")
}
