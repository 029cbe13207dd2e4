#!/usr/bin/env python3
"""Memory and CPU of a collection against itself, as the collection grows.

    python3 bench/reuse_memory.py BOOKS WORK [--times 1 2 4] [--part-bytes N] [--program bin/commonplace]

BOOKS holds .txt.gz files. Each time adds all books again with their letters exchanged (a to q,
b to f, ...), by another key. Such a book has the same words as often as before, under other
letters. So it has the same finds among the books of its key, and none in any other book: text and
finds grow in proportion. Prints CPU seconds and the peaks of resident memory, of its anonymous
part (the heap) and of its part backed by files (mapped index parts).
"""

import argparse
import gzip
import os
import pathlib
import random
import shutil
import string
import subprocess
import time


def key(n):
    """The n-th exchange of letters; number 0 exchanges none."""
    letters = list(string.ascii_lowercase)
    if n:
        random.Random(n).shuffle(letters)
    to = "".join(letters)
    return str.maketrans(string.ascii_letters, to + to.upper())


def resident(pid):
    """Anonymous and file-backed resident memory of a process, in MB; None once it has ended."""
    try:
        fields = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status"))
        return [int(fields[f].split()[0]) / 1024 for f in ("RssAnon", "RssFile")]
    except (OSError, KeyError):
        return None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("books", type=pathlib.Path)
    p.add_argument("work", type=pathlib.Path)
    p.add_argument("--times", type=int, nargs="+", default=[1, 2, 4])
    p.add_argument("--part-bytes", type=int, default=32 << 20)
    p.add_argument("--program", default="bin/commonplace")
    a = p.parse_args()
    print("| | MB of text | CPU s | peak MB | heap | mapped |\n|---|---:|---:|---:|---:|---:|")
    for times in a.times:
        folder, size = a.work / f"times{times}", 0
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "books").mkdir(parents=True)
        for n in range(times):
            for book in sorted(a.books.glob("*.txt.gz")):
                text = gzip.decompress(book.read_bytes()).decode("utf-8").translate(key(n))
                size += (folder / "books" / f"{book.name[:-7]}.{n}.txt").write_text(text, encoding="utf-8", newline="")
        (folder / "run.yaml").write_text(
            "out: out\nsources: [{name: books, files: [books/*.txt], frame: none, role: both, language: en, rights: Public domain}]\n"
            f"align: {{part_bytes: {a.part_bytes}}}\nlabel: {{datasets: [clusters]}}\n")
        with open(folder / "log", "w") as log:
            build = subprocess.Popen([a.program, "build", "--top", "0", str(folder / "run.yaml")], stdout=log, stderr=log)
            peaks, done = [0, 0, 0], 0
            while not done:
                if now := resident(build.pid):
                    peaks = [max(x, y) for x, y in zip(peaks, [sum(now), *now])]
                time.sleep(.05)
                done, status, used = os.wait4(build.pid, os.WNOHANG)
        if status:
            raise SystemExit(f"build failed: see {folder}/log")
        print(f"| {times} × | {size / 1e6:.1f} | {used.ru_utime + used.ru_stime:.1f} |" + "".join(f" {m:,.0f} |" for m in peaks), flush=True)


if __name__ == "__main__":
    main()
