"""Writes table/parquet/testdata: alignments as pyarrow and DuckDB store them. Run it in that folder."""
from datetime import date, datetime, timezone

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

n = 40
rows = {
    "extra": pa.array([[1.5, None]] * n),
    "parts": pa.array([[{"source_end": i, "derived_begin": j, "derived_end": j + 1, "source_begin": i - 1} for j in range(i % 3)] for i in range(n)]),
    "score": pa.array([i / 4 for i in range(n)], pa.float32()),
    "source_text": pa.array([["é😀", "ſo", None][i % 3] for i in range(n)], pa.large_string()),
    "source_begin": pa.array(range(n), pa.int32()),
    "source_id": pa.array(["a"] * n).dictionary_encode(),
    "marked": pa.array([None if i % 3 == 2 else i % 2 == 1 for i in range(n)]),
}
pq.write_table(pa.table(rows), "pyarrow-v1.parquet", compression="snappy", data_page_version="1.0", row_group_size=17)
pq.write_table(pa.table(rows), "pyarrow-v2.parquet", compression="gzip", data_page_version="2.0", use_dictionary=False, use_compliant_nested_type=False,
               column_encoding={"source_begin": "DELTA_BINARY_PACKED", "source_text": "DELTA_BYTE_ARRAY"})
duckdb.sql("COPY (SELECT * FROM 'pyarrow-v1.parquet') TO 'duckdb.parquet' (FORMAT parquet, COMPRESSION zstd)")
pq.write_table(pa.table(rows), "lz4.parquet", compression="lz4")


# Documents with dates of other types than text: table/otherdocuments_test.go reads them.
from datetime import date, datetime, timezone

documents = {
    "id": ["a", "b", "c"],
    "text": ["one", "two", "three"],
    "date": pa.array([date(1850, 1, 2), None, date(2024, 2, 29)], pa.date32()),
    "scanned": pa.array([datetime(2020, 5, 6, 7, 8, 9, 500000), datetime(1850, 1, 2), None], pa.timestamp("us")),
    "stored": pa.array([datetime(2020, 5, 6, 7, 8, 9, tzinfo=timezone.utc)] * 3, pa.timestamp("ms", "UTC")),
}
pq.write_table(pa.table(documents), "dates.parquet")
pq.write_table(pa.table(documents | {"date": pa.array([datetime(1850, 1, 2), datetime(1969, 12, 31, 23, 0), None], pa.timestamp("ns"))}).drop_columns(["stored"]),
               "dates-spark.parquet", use_deprecated_int96_timestamps=True)
pq.write_table(pa.table({"id": documents["id"], "text": documents["text"], "date": pa.array([1850, 1851, None], pa.int16()), "title": pa.array([1984, 2001, None], pa.int64())}), "years.parquet")

# Documents with lists, structs, maps and other types: the same records as JSON lines. pipelines/ingest/nested_test.go compares them.
from decimal import Decimal
from datetime import time
import json

region = {"start": 0, "length": 3, "coords": {"x": 1, "y": 2, "w": 3, "h": 4}}
records = [
    {"id": "a", "text": "one two", "tags": ["Times", "a \"b\" <é😀>"], "place": {"city": "Bath", "at": [1.5, -2]}, "rows": [[1, 2], [], [3]], "pages": [{"id": "p1", "seq": 1, "regions": [region]}], "metadata": {"series": "Herald", "volume": 3, "also": ["x"]}, "count": 18446744073709551615, "price": 12.50, "hour": "06:07:08"},
    {"id": "b", "text": "three", "tags": [], "place": {"city": "Rome"}, "rows": [], "pages": [{"id": "p2", "seq": 2, "regions": []}, {"id": "p3", "seq": 3, "regions": [{"start": 0, "length": 2}, {"start": 2, "length": 3}]}], "metadata": {"volume": 4}, "count": 0, "price": -0.05},
    {"id": "c", "text": "four", "tags": ["x", None, ""], "rows": [[4]]},
    {"id": "d", "text": "five", "place": {"at": []}, "pages": [], "metadata": {}, "hour": "23:00:00"},
]
schema = pa.schema([
    ("id", pa.string()), ("text", pa.string()), ("tags", pa.list_(pa.string())), ("place", pa.struct([("city", pa.string()), ("at", pa.list_(pa.float64()))])),
    ("rows", pa.list_(pa.list_(pa.int32()))),
    ("pages", pa.list_(pa.struct([("id", pa.string()), ("seq", pa.int64()), ("regions", pa.list_(pa.struct([("start", pa.int64()), ("length", pa.int64()), ("coords", pa.struct([(k, pa.int32()) for k in "xywh"]))])))]))),
    ("metadata", pa.struct([("series", pa.string()), ("volume", pa.int64()), ("also", pa.large_list(pa.string()))])),
    ("count", pa.uint64()), ("price", pa.decimal128(20, 2)), ("hour", pa.time64("us")),
])
typed = [r | ({"price": Decimal("%.2f" % r["price"])} if "price" in r else {}) | ({"hour": time.fromisoformat(r["hour"])} if "hour" in r else {}) for r in records]
pq.write_table(pa.Table.from_pylist(typed, schema), "nested.parquet", row_group_size=3)
pq.write_table(pa.Table.from_pylist(typed, schema), "nested-old.parquet", use_compliant_nested_type=False, store_schema=False, data_page_version="2.0", compression="gzip")
with open("nested.jsonl", "w") as out:
    for r in records:
        out.write(json.dumps(r, ensure_ascii=False).replace("12.5,", "12.50,") + "\n")
pq.write_table(pa.table({"id": ["a"], "text": ["one"], "words": pa.array([[("the", 2), ("of", None)]], pa.map_(pa.string(), pa.int64())), "author": pa.array([["A", "B"]])}), "map.parquet")
