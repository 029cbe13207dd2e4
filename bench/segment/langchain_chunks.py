"""Golden files for chunks:SIZE/OVERLAP from LangChain's RecursiveCharacterTextSplitter.

    pip install langchain-text-splitters==1.1.3
    python bench/segment/langchain_chunks.py segment/testdata/chunks [FOLDER_OF_BOOKS]

For every .txt of the first folder it writes NAME.json: the chunks for several
sizes. For the ten first books (.txt.gz) of the second it writes books.json:
number of chunks and the SHA-256 of them, each followed by a NUL. Texts are
taken as Python reads them with newline="".
"""

import gzip
import hashlib
import json
import pathlib
import sys

from langchain_text_splitters import RecursiveCharacterTextSplitter

SIZES = [(1200, 100), (80, 20), (40, 0)]
TINY = [(7, 3), (1, 0)]  # for the small files


def chunks(text, size, overlap):
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=overlap, separators=["\n\n", "\n", " ", ""]
    )
    return splitter.split_text(text)


def main():
    folder = pathlib.Path(sys.argv[1])
    for path in sorted(folder.glob("*.txt")):
        text = path.read_bytes().decode("utf-8")
        golden = {f"{s}/{o}": chunks(text, s, o) for s, o in SIZES + (TINY if len(text) < 6000 else [])}
        path.with_suffix(".json").write_text(json.dumps(golden, ensure_ascii=True, indent=0) + "\n")
    if len(sys.argv) > 2:
        books = {}
        for path in sorted(pathlib.Path(sys.argv[2]).glob("*.txt.gz"))[:10]:
            text = gzip.decompress(path.read_bytes()).decode("utf-8")
            for size, overlap in [(1200, 100), (200, 50)]:
                parts = chunks(text, size, overlap)
                digest = hashlib.sha256("".join(p + "\0" for p in parts).encode()).hexdigest()
                books.setdefault(path.name, {})[f"{size}/{overlap}"] = {"chunks": len(parts), "sha256": digest}
        (folder / "books.json").write_text(json.dumps(books, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
