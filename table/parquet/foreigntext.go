package parquet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"
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

// plainText writes the values of a column of plain values as text, and says whether that is
// a text in JSON, too; nil if they are bytes of no known type. Numbers have the digits of JSON.
func plainText(at *parquet.Column) (write func(*parquet.Value) string, quoted bool) {
	t := at.Type()
	if write := dateText(t); write != nil {
		return write, true
	}
	var logical any
	if of := t.LogicalType(); of != nil {
		logical = of.Value
	}
	text := func(v *parquet.Value) string { return string(v.ByteArray()) }
	switch of := logical.(type) {
	case *format.StringType, *format.EnumType:
		return text, true
	case *format.JsonType:
		return func(v *parquet.Value) string {
			var b bytes.Buffer
			if json.Compact(&b, v.ByteArray()) != nil {
				return string(jsonString(text(v)))
			}
			return b.String()
		}, false
	case *format.UUIDType:
		return func(v *parquet.Value) string {
			b := v.ByteArray()
			return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
		}, true
	case *format.TimeType:
		return timeOfDay(of), true
	case *format.DecimalType:
		return func(v *parquet.Value) string { return decimalText(v, int(of.Scale)) }, false
	case *format.IntType:
		if !of.IsSigned && t.Kind() == parquet.Int64 {
			return func(v *parquet.Value) string { return strconv.FormatUint(v.Uint64(), 10) }, false
		}
		if !of.IsSigned {
			return func(v *parquet.Value) string { return strconv.FormatUint(uint64(v.Uint32()), 10) }, false
		}
	case nil:
	default:
		return nil, false
	}
	switch t.Kind() {
	case parquet.Int32:
		return func(v *parquet.Value) string { return strconv.FormatInt(int64(v.Int32()), 10) }, false
	case parquet.Int64:
		return func(v *parquet.Value) string { return strconv.FormatInt(v.Int64(), 10) }, false
	case parquet.Float:
		return func(v *parquet.Value) string { return jsonNumber(v.Float()) }, false
	case parquet.Double:
		return func(v *parquet.Value) string { return jsonNumber(v.Double()) }, false
	case parquet.Boolean:
		return func(v *parquet.Value) string { return strconv.FormatBool(v.Boolean()) }, false
	}
	return nil, false
}

// jsonNumber is a number in JSON, which has none that is infinite or undefined: they are texts.
func jsonNumber[F float32 | float64](f F) string {
	b, err := json.Marshal(f)
	if err != nil {
		return fmt.Sprintf("%q", fmt.Sprint(f))
	}
	return string(b)
}

func timeOfDay(t *format.TimeType) func(*parquet.Value) string {
	unit := time.Millisecond
	switch t.Unit.Value.(type) {
	case *format.MicroSeconds:
		unit = time.Microsecond
	case *format.NanoSeconds:
		unit = time.Nanosecond
	}
	return func(v *parquet.Value) string {
		n := v.Int64()
		if v.Kind() == parquet.Int32 {
			n = int64(v.Int32())
		}
		return time.Unix(0, 0).UTC().Add(time.Duration(n) * unit).Format("15:04:05.999999999")
	}
}

// maxScale is the most digits behind the point that are written as such. The file says how
// many its decimals have, and can say two billion.
const maxScale = 100

// decimalText is a decimal with the digits that its type has.
func decimalText(v *parquet.Value, scale int) string {
	n := new(big.Int)
	switch v.Kind() {
	case parquet.Int32:
		n.SetInt64(int64(v.Int32()))
	case parquet.Int64:
		n.SetInt64(v.Int64())
	default: // two's complement, the highest byte first
		b := v.ByteArray()
		if n.SetBytes(b); len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	digits, sign := new(big.Int).Abs(n).String(), ""
	if n.Sign() < 0 {
		sign = "-"
	}
	if scale <= 0 {
		return sign + digits
	}
	if scale > maxScale {
		return sign + digits + "e-" + strconv.Itoa(scale)
	}
	if missing := scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}
