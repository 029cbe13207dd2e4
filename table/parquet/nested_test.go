package parquet

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/commonplace/commonplace/bounded"
)

// footed is a file of magic bytes, data and a footer.
func footed(t *testing.T, data []byte, meta *format.FileMetaData) string {
	t.Helper()
	footer, err := thrift.Marshal(&thrift.CompactProtocol{}, meta)
	if err != nil {
		t.Fatal(err)
	}
	data = append(data, footer...)
	data = append(binary.LittleEndian.AppendUint32(data, uint32(len(footer))), "PAR1"...)
	path := filepath.Join(t.TempDir(), "table.parquet")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Columns that stand a hundred thousand deep in one another are counted before they are followed.
func TestColumnsThatStandTooDeep(t *testing.T) {
	meta := &format.FileMetaData{Version: 1}
	for range 100_000 {
		meta.Schema = append(meta.Schema, format.SchemaElement{Name: "a", NumChildren: thrift.New(int32(1))})
	}
	meta.Schema = append(meta.Schema, format.SchemaElement{Name: "id", Type: thrift.New(format.ByteArray)})
	_, took, err := readGuarded(context.Background(), footed(t, []byte("PAR1"), meta), bounded.Limits{})
	if err == nil || !strings.Contains(err.Error(), "stand 100000 deep") || took > 100<<20 {
		t.Errorf("%d MB, %v", took>>20, err)
	}
}

// What a footer says of a type is not believed: a UUID that is a text is no UUID.
func TestAUUIDOfAnotherLength(t *testing.T) {
	type row struct {
		ID   string   `parquet:"id"`
		Text string   `parquet:"text"`
		Keys []string `parquet:"keys"`
	}
	raw, err := os.ReadFile(written(t, []row{{"a", "some words", []string{"short"}}}))
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	meta := f.Metadata()
	for i := range meta.Schema {
		if meta.Schema[i].Name == "keys" {
			meta.Schema[i].LogicalType, meta.Schema[i].ConvertedType = format.LogicalType{Value: &format.UUIDType{}}, thrift.Null[deprecated.ConvertedType]{}
		}
	}
	r, err := Documents.OpenForeign(context.Background(), footed(t, raw[:len(raw)-8-int(binary.LittleEndian.Uint32(raw[len(raw)-8:]))], meta), foreignColumns, bounded.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.WithOthers(Documents, "metadata"); err != nil {
		t.Fatal(err)
	}
	for d, err := range r.Rows() {
		if err == nil || !strings.Contains(err.Error(), "its schema says FIXED_LEN_BYTE_ARRAY") {
			t.Errorf("%v %v", d, err)
		}
	}
}

// The digits behind a decimal's point are at most as many as are there, and a hundred.
func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		n     int32
		scale int
		want  string
	}{{-1234, 2, "-12.34"}, {5, 3, "0.005"}, {7, 0, "7"}, {7, -2, "7"}, {0, 1, "0.0"}, {123, 2_000_000_000, "123e-2000000000"}} {
		v := parquet.Int32Value(c.n)
		if got := decimalText(&v, c.scale); got != c.want {
			t.Errorf("%d of scale %d: %s, want %s", c.n, c.scale, got, c.want)
		}
	}
}

// Bytes that are not UTF-8 are not mended without a word: who reads the record refuses them.
func TestJSONOfBytes(t *testing.T) {
	for text, want := range map[string]string{"a\xffb": "\"a\xffb\"", "<é>\"": `"<é>\"` + "\"", "\n": `"\n"`} {
		if got := string(jsonString(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
