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
