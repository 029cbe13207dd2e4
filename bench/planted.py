#!/usr/bin/env python3
"""Copies planted in small collections that are compared with themselves: how many are found.

    python3 bench/planted.py BOOKS WORK [--documents 2 4 20 200] [--program bin/commonplace]

BOOKS holds .txt.gz files. A document is 300 words of one book. Passages of 20 or 40 words of
another book are inserted in several documents, undamaged or with 1 or 3 letters in 100 wrong. A
copy is found if a row of `clusters` covers four fifths of it.
"""

import argparse
import gzip
import json
import pathlib
import random
import re
import shutil
import subprocess

PLANS = {2: (4, 2), 4: (4, 4), 20: (10, 8), 200: (20, 20)}  # passages, and documents that have each


def words(book):
    text = gzip.open(book, "rt", encoding="utf-8", errors="replace").read()
    return re.findall(r"\S+", text)[3000:-4000]


def damaged(text, rate, r):
    return "".join(r.choice("abcdefghijklmnopqrstuvwxyz") if c.isalpha() and r.random() < rate else c for c in text)


def collection(books, n, length, rate, path):
    """Writes the documents, and returns where the copies are."""
    r = random.Random(n * 1000 + length)
    books = r.sample(books, len(books))
    of, others = words(books[0]), [w for w in map(words, books[1:40]) if len(w) > 20000]
    documents = []
    for i in range(n):
        at = i // len(others) * 300
        documents.append([(None, w) for w in others[i % len(others)][at : at + 300]])
    passages, copies = PLANS[n]
    for k in range(passages):
        passage = " ".join(of[k * (length + 200) :][:length])
        for d in r.sample(range(n), copies):
            documents[d].insert(r.randrange(len(documents[d])), (k, damaged(passage, rate, r)))
    planted = []
    with open(path, "w") as out:
        for i, parts in enumerate(documents):
            text = ""
            for passage, part in parts:
                text += " " if text else ""
                if passage is not None:
                    planted.append((f"d{i}", len(text), len(text) + len(part)))
                text += part
            out.write(json.dumps({"id": f"d{i}", "text": text}) + "\n")
    return planted


def found(program, path, planted):
    out = path.with_name(path.stem + "-out")
    shutil.rmtree(out, ignore_errors=True)
    config = path.with_suffix(".yaml")
    config.write_text(f"out: {out}\nsources:\n  - {{name: p, files: [{path}], language: en, rights: Public domain}}\nreuse: {{}}\n")
    subprocess.run([program, "build", config, "--top", "0", "--yes"], check=True, capture_output=True)
    args = [program, "inspect", "clusters", "--out", out, "--format", "jsonl", "--limit", "0"]
    rows = [json.loads(line) for line in subprocess.run(args, check=True, capture_output=True, text=True).stdout.splitlines()]
    return sum(
        any(d == x["doc_id"] and min(end, x["end"]) - max(begin, x["begin"]) >= 0.8 * (end - begin) for x in rows)
        for d, begin, end in planted
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--documents", type=int, nargs="+", default=list(PLANS), choices=list(PLANS))
    parser.add_argument("--program", default="bin/commonplace")
    a = parser.parse_args()
    a.work.mkdir(parents=True, exist_ok=True)
    books = sorted(a.books.glob("*.txt.gz"))
    for n in a.documents:
        for length in 20, 40:
            for rate in 0, 0.01, 0.03:
                path = (a.work / f"{n}-{length}-{round(100 * rate)}.jsonl").resolve()
                planted = collection(books, n, length, rate, path)
                print(f"{n} documents, {length} words, {rate} wrong: {found(a.program, path, planted)} of {len(planted)}", flush=True)


if __name__ == "__main__":
    main()
