"""Packs what is known of sentences into one file, small enough to be carried to another machine.

    python3 models/shipped/pack_sentences.py out/readers-sentences sentences.parquet

The run is of bench/configs/readers-sentences.yaml. models/shipped/finetune_sentences.py reads either.
A sentence's grade is that of the line that holds most of it (models/shipped/grades.py; those that taught the shipped encoder), and null where nobody graded one.
"""

import pathlib
import sys

import pyarrow
import pyarrow.parquet as parquet

import data
import grades

COLUMNS = {"doc_id": pyarrow.string(), "text": pyarrow.string(), "readers": pyarrow.int32(), "editors": pyarrow.int32(), "genre": pyarrow.string(), "fold": pyarrow.int32(), "grade": pyarrow.float32()}


def read(path):
    """Columns of the sentences of a run, or of a packed file, in the order of documents and sentences."""
    path = pathlib.Path(path)
    if path.is_file():
        return parquet.read_table(path).to_pydict()
    of = {(r["doc_id"], r["index"]): r for r in data.read_table(path, "counted", ["doc_id", "index", "readers", "editors", "genre", "fold"])}
    passages = sorted(data.read_table(path, "passages", ["doc_id", "index", "begin", "end", "text"]), key=lambda r: (r["doc_id"], r["index"]))
    graded = grades.of_sentences(grades.read(grades.TAUGHT), passages)
    rows = [of[r["doc_id"], r["index"]] | {"text": r["text"], "grade": graded.get(i)} for i, r in enumerate(passages)]
    return {name: [row[name] for row in rows] for name in COLUMNS}


def main():
    run, file = sys.argv[1:]
    parquet.write_table(pyarrow.table(read(run), schema=pyarrow.schema(COLUMNS)), file, compression="zstd", compression_level=19)


if __name__ == "__main__":
    main()
