"""Checks the installed package, from a folder that is not the checkout's:

    python python/tests/package.py testdata/demo
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import commonplace_corpus as cp

demo = Path(sys.argv.pop(1))


def refused(status, *args, **named):
    try:
        cp.align(*args, **named)
    except cp.CommonplaceError as e:
        assert e.status == status, e
        return str(e)
    raise AssertionError("nothing was refused")


# Files: the spans are those of the decoded text without its frame.
quotes = [json.loads(line) for line in (demo / "quotes.jsonl").open(encoding="utf-8")]
found = cp.align(demo / "books", demo / "quotes.jsonl")
rows = found.to_pylist()
assert len({r["quote_id"] for r in rows}) > 40, len(rows)
texts = {q["quote_id"]: q["text"] for q in quotes}
for r in rows:
    assert texts[r["quote_id"]][r["derived_begin"]:r["derived_end"]] == r["derived_text"], r

# Texts: taken as they are.
sources = {"a": "\ufeffIt is said:\r\n\U0001f600 a wheel which does not turn does not need any oil. So.", "é/1": "Nothing."}
for quotations in (["a wheel which does not turn does not need any oil"], {"0": "a wheel which does not turn does not need any oil"}):
    (row,) = cp.align(sources, quotations).to_pylist()
    assert row["source_id"] == "a" and row["quote_id"] == "0", row
    assert sources["a"][row["source_begin"]:row["source_end"]] == row["source_text"], row
assert cp.align(sources, ["words that stand in neither of the two texts"]).num_rows == 0
assert "no input at" in refused(2, demo / "none", ["some words to look for"])

# Scores, in the order of the texts.
line, plain = "If there is no day, there is no debt.", "He put on his hat and went out of the room, and the dog followed him."
for model in ("fast", "best"):
    scores = cp.score({"z": line, "blank": " \n", "a": plain}, model=model).to_pylist()
    assert [s["id"] for s in scores] == ["z", "blank", "a"] and scores[1]["score"] is None and scores[0]["score"] > scores[2]["score"], (model, scores)
assert cp.score([]).num_rows == 0
assert cp.score([" ", "\ufeff"])["score"].to_pylist() == [None, None]

# Nothing is lost without a word.
for wrong in (lambda: cp.score("Hello"), lambda: cp.align(sources, [None]), lambda: cp.align({"a": "\ud800"}, ["some words to look for"])):
    try:
        wrong()
        raise AssertionError("it was taken")
    except (TypeError, UnicodeEncodeError):
        pass
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    cp.align({"a": sources["a"], "b\n": "Another text."}, ["some words to look for"])
    assert any("bad id" in str(w.message) for w in said), said

# The command, and the tables of a run.
with tempfile.TemporaryDirectory() as folder:
    config = Path(folder, "run.yaml")
    config.write_text(json.dumps({"out": "out", "sources": [{"name": "books", "files": [str(demo.resolve() / "books")]}], "score": {"model": "fast"}}))
    command = Path(sys.executable).with_name("commonplace")
    subprocess.run([command, "build", config, "--top", "0"], check=True, cwd=folder, capture_output=True)
    rankings = cp.read(Path(folder, "out"), "rankings")
    assert rankings.num_rows == cp.read(Path(folder, "out"), "passages").num_rows > 0
    # A build that ends while a table is read changes nothing of it.
    current, opened = Path(folder, "out", ".current"), cp.pq.ParquetFile

    def switched(path):
        current.unlink()
        current.symlink_to(".nights/none")
        return opened(path)

    was = os.readlink(current)
    cp.pq.ParquetFile = switched
    try:
        assert cp.read(Path(folder, "out"), "rankings").num_rows == rankings.num_rows
    finally:
        cp.pq.ParquetFile = opened
        current.unlink()
        current.symlink_to(was)
    # Only what the record names is read, and what is no file is not waited for.
    passages = Path(folder, "out", "passages").resolve()
    shards = sorted(path for path in passages.iterdir() if cp.pq.ParquetFile(path).metadata.num_rows)
    record = Path(folder, "out", "records", "passages", "_commit.json")
    written = record.read_text(encoding="utf-8")

    def damaged(what):
        try:
            cp.read(Path(folder, "out"), "passages")
        except cp.CommonplaceError as e:
            assert "commonplace verify" in str(e), e
            return
        raise AssertionError(f"{what} was read")

    record.write_text(written.replace(f'"{shards[0].name}"', '"../documents/part-00000-of-00016.parquet"'), encoding="utf-8")
    damaged("a file of another folder")
    record.write_text(written, encoding="utf-8")
    shards[0].rename(passages / "away")
    os.mkfifo(shards[0])
    damaged("a pipe")
    shards[0].unlink()
    empty = next(path for path in passages.glob("part-*") if path not in shards)
    shutil.copyfile(empty, shards[0])
    damaged("a shard with other rows")
    shards[0].unlink()
    (passages / "away").rename(shards[0])
    shutil.copyfile(shards[0], passages / "part-00000-of-00001.parquet")  # of another number of shards
    assert cp.read(Path(folder, "out"), "passages").num_rows == rankings.num_rows
    try:
        cp.read(Path(folder, "out"), "ranking")
        raise AssertionError("an unknown table was read")
    except FileNotFoundError as e:
        assert "the nearest is rankings" in str(e) and "commonplace status" in str(e), e
    try:
        cp.read(folder, "rankings")
        raise AssertionError("a folder without a run was read")
    except FileNotFoundError as e:
        assert "no run here; name the folder that a build wrote" in str(e), e

# The example of docs/python.md runs as it is copied, in an environment with this package alone.
page = Path(__file__).resolve().parents[2] / "docs" / "python.md"
example = page.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(demo / "books", Path(folder, "novels"))
    command = Path(sys.executable).with_name("commonplace")
    subprocess.run([command, "build", "novels", "--top", "0"], check=True, cwd=folder, capture_output=True)
    printed = subprocess.run([sys.executable, "-c", example], check=True, cwd=folder, capture_output=True, text=True).stdout
    assert printed.count("best_text") == 3, printed
print("the package works:", cp.run("--version").strip())
