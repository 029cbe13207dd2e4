"""Commonplace from Python: find quotations, score passages, read the tables of a run.

    import commonplace_corpus as cp

    found = cp.align("novels/", ["All happy families are alike"])
    found.select(["quote_text", "source_title", "chapter", "source_text", "similarity"]).to_pylist()

Everything is done by the program that this package holds; the same is the command
`commonplace`. Offsets count code points, end exclusive: `text[begin:end]`.
"""

import difflib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ._program import CommonplaceError, CommonplaceWarning, program, run

__all__ = ["CommonplaceError", "CommonplaceWarning", "align", "program", "read", "run", "score"]

Texts = str | os.PathLike | Mapping[str, str]
"""A folder, file or glob; or texts by their ids."""

Quotes = str | os.PathLike | Iterable[str] | Mapping[str, str]
"""A list's file; or the quotations, with ids where it is a mapping."""


def align(sources: Texts, quotes: Quotes, *, min_similarity: float = 0.7, per_quote: int = 0, parallelism: int = 0) -> pa.Table:
    """Finds each quotation in the sources, however damaged: a row a place, best first.

    The columns are those of `commonplace find --format parquet`: quote_id, quote_text,
    source_id, source_title, chapter, source_begin, source_end, source_text, similarity,
    score in bits, kind. Of files encodings are decided and frames of Project Gutenberg
    removed, and offsets count without them; texts that are given are taken as they are.

    min_similarity drops matches that differ more, 0 to 1. per_quote keeps so many places
    of a quotation in each source, best first; 0 keeps all. parallelism is how many
    sources are read at once; 0 is all processors. What cannot be read is a
    [CommonplaceWarning], and the rest is searched.
    """
    with tempfile.TemporaryDirectory(prefix="commonplace-") as folder:
        found = Path(folder, "found.parquet")
        run("find", "--as=quotes", "--out", found, f"--min-similarity={min_similarity}", f"--per-quote={per_quote}",
            f"--parallelism={parallelism}", "--", _quotes(quotes, folder), "in", _texts(sources, folder))
        return pq.ParquetFile(found).read()


def score(texts: Iterable[str] | Mapping[str, str], *, model: str | os.PathLike = "fast", device: str = "cpu") -> pa.Table:
    """Scores passages: how likely each is to be quoted, on the model's scale.

    texts are passages, with ids where it is a mapping. model is best, fast or a model
    folder. The rows are ids and scores in the order of the texts; a text that cannot be
    scored, such as white space, has the score null. best reads sentences: a passage
    without a whole sentence has the score 0.
    """
    if isinstance(texts, str):
        raise TypeError("score takes a list of passages, or passages by their ids, not one str")
    passages = dict(texts) if isinstance(texts, Mapping) else {str(i): text for i, text in enumerate(texts)}
    if not passages:
        return pa.table({"id": pa.array([], pa.string()), "score": pa.array([], pa.float64())})
    with tempfile.TemporaryDirectory(prefix="commonplace-") as folder:
        # Numbers as ids: any text may be an id here, and the program's are sorted.
        numbered = {f"{i:09d}": text for i, text in enumerate(passages.values())}
        config = {
            "out": "out",
            "max_reject_fraction": 1,
            "shards": 1,
            "sources": [{"name": "texts", "files": [Path(_texts(numbered, folder)).name], "frame": "none"}],
            "segment": {"by": "words:1000000000"},  # whole texts
            "score": {"model": model if model in ("best", "fast") else os.path.abspath(model), "device": device},
        }
        path = Path(folder, "score.yaml")
        path.write_text(json.dumps(config), encoding="utf-8")  # JSON is YAML
        for stage in ("crawl", "segment", "score"):
            run(stage, path)
        scores = read(Path(folder, "out"), "scores").select(["doc_id", "score"]).to_pydict()
    known = dict(zip(map(int, scores["doc_id"]), scores["score"], strict=True))
    return pa.table({"id": pa.array(list(passages), pa.string()), "score": pa.array([known.get(i) for i in range(len(passages))], pa.float64())})


def read(out: str | os.PathLike, table: str) -> pa.Table:
    """Reads a table of a run, such as rankings, passages or alignments. Only what is committed is read."""
    current = Path(out, ".current")
    version = current.resolve() if current.is_symlink() else Path(out)  # a build that ends meanwhile replaces the link
    folder = version / table
    try:
        commit = json.loads(Path(version, "records", table, "_commit.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        marks = ".commonplace.json", "run.json", "records", "*/_commit.json"  # the last of an earlier release
        if not any(any(Path(out).glob(mark)) for mark in marks):
            raise FileNotFoundError(f"{out}: no run here; name the folder that a build wrote (the out of its config)") from None
        near = difflib.get_close_matches(table, [path.name for path in Path(version, "records").glob("*")], n=1)
        nearest = f" (the nearest is {near[0]})" if near else ""
        raise FileNotFoundError(f"{out} has no complete table {table}{nearest}, or one of an earlier release, which the next build converts; see `commonplace status --out {out}`") from None
    return pa.concat_tables([_shard(out, folder, shard["file"], shard["rows"]) for shard in commit["shards"]])


def _shard(out: str | os.PathLike, folder: Path, name: str, rows: int) -> pa.Table:
    """Reads a shard that the table's record names. Nothing else in the folder is read, and no pipe is waited for."""
    path = folder / name
    if path.parent != folder or not path.is_file():
        raise CommonplaceError(1, f"{path} is not a shard of this table; see `commonplace verify --out {out}`")
    shard = pq.ParquetFile(path).read()
    if shard.num_rows != rows:
        raise CommonplaceError(1, f"{path} has {shard.num_rows} rows, not {rows}; see `commonplace verify --out {out}`")
    return shard


def _texts(texts: Texts, folder: str) -> str:
    if not isinstance(texts, Mapping):
        return os.fspath(texts)
    return _lines(Path(folder, "texts.jsonl"), ({"id": i, "text": text} for i, text in texts.items()))


def _quotes(quotes: Quotes, folder: str) -> str:
    if isinstance(quotes, (str, os.PathLike)):
        return os.fspath(quotes)
    items = quotes.items() if isinstance(quotes, Mapping) else ((str(i), text) for i, text in enumerate(quotes))
    return _lines(Path(folder, "quotes.jsonl"), ({"quote_id": i, "text": text} for i, text in items))


def _lines(path: Path, rows: Iterable[dict]) -> str:
    with path.open("w", encoding="utf-8", newline="\n") as f:
        for row in rows:
            for name, value in row.items():
                if not isinstance(value, str):
                    raise TypeError(f"{name} is {value!r}, must be a str")
                value.encode("utf-8")  # a lone surrogate is no character: an error here, and not a text that is missing
            f.write(json.dumps(row) + "\n")
    return str(path)
