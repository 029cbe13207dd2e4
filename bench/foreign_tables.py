"""Writes table/parquet/testdata: alignments as pyarrow and DuckDB store them. Run it in that folder."""
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
