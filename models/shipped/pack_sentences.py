"""Packs what is known of sentences into one file, small enough to be carried to another machine.

    python3 models/shipped/pack_sentences.py out/readers-sentences sentences.parquet [--teaching]

The run is of bench/configs/readers-sentences.yaml. models/shipped/finetune_sentences.py reads either.
A sentence's "grade" is that of the line that holds most of it, and "line" is the number of that line. Both are
null where nobody graded one. The grades are those that taught the shipped encoder, and with --teaching those
that teach the next (models/shipped/grades.py).
"""

import argparse
import pathlib

import pyarrow
import pyarrow.parquet as parquet

import data
import grades

COLUMNS = {"doc_id": pyarrow.string(), "text": pyarrow.string(), "readers": pyarrow.int32(), "editors": pyarrow.int32(), "genre": pyarrow.string(), "fold": pyarrow.int32(), "grade": pyarrow.float32(), "line": pyarrow.int32()}


def read(path, taught_by=grades.TAUGHT):
    """Columns of the sentences of a run, with grades of these files, or of a packed file, in the order of documents and sentences."""
    path = pathlib.Path(path)
    if path.is_file():
        return parquet.read_table(path).to_pydict()
    of = {(r["doc_id"], r["index"]): r for r in data.read_table(path, "counted", ["doc_id", "index", "readers", "editors", "genre", "fold"])}
    passages = sorted(data.read_table(path, "passages", ["doc_id", "index", "begin", "end", "text"]), key=lambda r: (r["doc_id"], r["index"]))
    graded = grades.of_sentences(grades.read(taught_by), passages)
    rows = [of[r["doc_id"], r["index"]] | {"text": r["text"]} | dict(zip(("grade", "line"), graded.get(i, (None, None)))) for i, r in enumerate(passages)]
    return {name: [row[name] for row in rows] for name in COLUMNS}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("file")
    parser.add_argument("--teaching", action="store_true")
    options = parser.parse_args()
    table = read(options.run, grades.TEACHING if options.teaching else grades.TAUGHT)
    parquet.write_table(pyarrow.table(table, schema=pyarrow.schema(COLUMNS)), options.file, compression="zstd", compression_level=19)


if __name__ == "__main__":
    main()
