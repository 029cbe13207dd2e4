"""Reads what the stages behind `label` wrote for paper C: counted and pairs.

The folder is that of a run, or what `commonplace export` made of it, as Parquet or
JSON lines. See docs/datasets.md and docs/tables.md. The table sequences is packed with
the tokenizer of the config; a model is trained on the windows that its own tokenizer
gives, which the passages of `counted` are enough for.
"""

import json
import pathlib
import re
import sys
from dataclasses import dataclass

MARKS = re.compile(r"\[(?:(?:Starts|Ends)-[A-Z][a-z]+|[A-Z][a-z]+@\d)\]")  # the positional tokens of Appendix F


@dataclass(frozen=True)
class Passage:
    doc: str
    text: str  # with positional tokens
    count: int
    fold: int

    @property
    def bare(self):
        """The passage as `commonplace score` gives it to a model."""
        return MARKS.sub("", self.text).strip()


def rows(folder, table, columns):
    """The rows of a table, as dicts, in the order of its files."""
    folder = pathlib.Path(folder)
    for place in (folder / table, folder / "jsonl" / table, folder / "data" / table, folder / "data"):
        files = sorted(place.glob("*.parquet")) or sorted(place.glob("*.jsonl"))
        if files:
            break
    else:
        sys.exit(f"{folder}: no table {table} in it; make one with label.datasets: [counts]")
    for file in files:
        if file.suffix == ".jsonl":
            with open(file, encoding="utf-8") as f:
                yield from map(json.loads, f)
            continue
        import pyarrow.parquet

        missing = set(columns) - set(pyarrow.parquet.read_schema(file).names)
        if missing:
            sys.exit(f"{file}: no column {', '.join(sorted(missing))}, so it is not the table {table}")
        yield from pyarrow.parquet.read_table(file, columns=columns).to_pylist()


def passages(folder):
    """Id -> passage of the table counted, document by document and in order."""
    got = list(rows(folder, "counted", ["passage_id", "doc_id", "index", "marked", "count", "fold"]))
    got.sort(key=lambda r: (r["doc_id"], r["index"]))
    return {r["passage_id"]: Passage(r["doc_id"], r["marked"], r["count"], r["fold"]) for r in got}


def pairs(folder):
    """Ids of passages of one document, of which the first is quoted more."""
    return [(r["more_id"], r["less_id"]) for r in rows(folder, "pairs", ["more_id", "less_id"])]
