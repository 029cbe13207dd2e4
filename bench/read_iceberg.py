"""Second readers of a published table: DuckDB's extension for Iceberg, and pyiceberg.

    python bench/read_iceberg.py TABLE CURRENT.jsonl [EARLIER.jsonl...]

TABLE is the folder that `commonplace publish --iceberg` wrote. The others are what
`commonplace inspect NAME --limit 0 --format jsonl` printed of the version that is
current, and of those before it, newest first. Compares every row and column of every
snapshot, and of rankings the types of some columns. Ends with status 1 where they differ.
"""

import importlib
import json
import pathlib
import sys

import duckdb
import pyiceberg
from pyiceberg.table import StaticTable

TYPES = {
    "passage_id": ("string", "VARCHAR"),
    "index": ("long", "BIGINT"),
    "score": ("double", "DOUBLE"),
    "rank_overall": ("long", "BIGINT"),
    "best_begin": ("long", "BIGINT"),
    "best_score": ("double", "DOUBLE"),
}
REASONS = "STRUCT(feature VARCHAR, effect DOUBLE)[]"


def with_iceberg():
    """A connection with the extensions of the packages; nothing is fetched."""
    connection = duckdb.connect()
    for name in ("avro", "iceberg"):
        folder = pathlib.Path(importlib.import_module(f"duckdb_extension_{name}").__file__).parent
        (file,) = folder.rglob(f"{name}.duckdb_extension")
        connection.load_extension(str(file))
    return connection


def in_order(rows):
    """Rows in one order. A value that is missing is null or an empty list."""
    return sorted(({k: v for k, v in r.items() if v is not None and v != []} for r in rows), key=lambda r: json.dumps(r, sort_keys=True))


def expect(ok, what, detail=""):
    if not ok:
        sys.exit(f"{what}: {detail}")


def compare(who, got, want):
    expect(len(got) == len(want), f"{who}: another number of rows", f"{len(got)}, want {len(want)}")
    for one, other in zip(in_order(got), in_order(want)):
        expect(one == other, f"{who}: a row is another", f"{one}, want {other}")


def main(table, *versions):
    versions = [[json.loads(line) for line in pathlib.Path(v).read_text("utf-8").splitlines()] for v in versions]
    expect(versions and all(versions), "a version has no rows")

    lake = StaticTable.from_metadata(table)
    snapshots = [s.snapshot_id for s in reversed(lake.metadata.snapshots)]
    expect(len(snapshots) == len(versions), "pyiceberg: another number of snapshots", snapshots)
    expect(lake.current_snapshot().snapshot_id == snapshots[0], "pyiceberg: the newest snapshot is not the current one")
    types = TYPES if "rank_overall" in lake.schema().column_names else {}
    for name, (kind, _) in types.items():
        expect(str(lake.schema().find_type(name)) == kind, f"pyiceberg: the type of {name}", lake.schema().find_type(name))
    compare("pyiceberg", lake.scan().to_arrow().to_pylist(), versions[0])
    for snapshot, want in zip(snapshots, versions):
        compare(f"pyiceberg, snapshot {snapshot}", lake.scan(snapshot_id=snapshot).to_arrow().to_pylist(), want)

    connection = with_iceberg()

    def rows(snapshot=None):
        back = f", snapshot_from_id => {snapshot}" if snapshot else ""
        found = connection.execute(f"SELECT * FROM iceberg_scan('{table}'{back})")
        names = [d[0] for d in found.description]
        return [dict(zip(names, row)) for row in found.fetchall()]

    kinds = {r[0]: r[1] for r in connection.execute(f"DESCRIBE SELECT * FROM iceberg_scan('{table}')").fetchall()}
    for name, (_, kind) in types.items():
        expect(kinds[name] == kind, f"DuckDB: the type of {name}", kinds[name])
    expect(not types or kinds["reasons"] == REASONS, "DuckDB: the type of reasons", kinds.get("reasons"))
    compare("DuckDB", rows(), versions[0])
    for snapshot, want in zip(snapshots, versions):
        compare(f"DuckDB, snapshot {snapshot}", rows(snapshot), want)
    if types:
        highest = connection.execute(f"SELECT passage_id FROM iceberg_scan('{table}') WHERE rank_overall = 1 ORDER BY 1").fetchall()
        expect(highest == sorted((r["passage_id"],) for r in versions[0] if r["rank_overall"] == 1), "DuckDB: the highest passage", highest)

    counts = ", ".join(str(len(v)) for v in versions)
    print(f"{table}: {counts} rows in {len(versions)} snapshots: the same with DuckDB {duckdb.__version__} and pyiceberg {pyiceberg.__version__}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
