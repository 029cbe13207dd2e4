"""What the first passages of a library are, by rank_overall and by rank_balanced.

    bin/commonplace build CONFIG     # with segment.by words:200
    bin/commonplace inspect rankings CONFIG --format jsonl --limit 0 > rankings.jsonl
    python3 bench/library_order.py rankings.jsonl labels.jsonl.gz

labels.jsonl.gz has {book, begin, end, readers}: spans that readers quote, in code points
of the book whose doc_id is book. A passage counts as quoted where it holds a part of one.
Prints how the number of quoted passages grows with a book's length, and of each order the
AUC over all passages, the share of quoted ones among the first, and how many books these
are of; with 95 % bootstrap intervals over books. Standard library alone.
"""

import bisect
import collections
import gzip
import json
import math
import random
import statistics
import sys

ORDERS = "rank_overall", "rank_balanced"
FIRST = 100, 500
SAMPLES = 200


def read(rankings, labels):
    books = collections.defaultdict(list)
    for line in open(rankings, encoding="utf-8"):
        r = json.loads(line)
        books[r["doc_id"]].append({"begin": r["begin"], "end": r["end"], "quoted": 0, **{o: r[o] for o in ORDERS}})
    for line in gzip.open(labels, "rt", encoding="utf-8"):
        s = json.loads(line)
        passages = books.get(s["book"], ())
        if s["readers"] > 0 and passages:
            for p in passages[bisect.bisect_right([p["end"] for p in passages], s["begin"]):]:
                if p["begin"] >= s["end"]:
                    break
                p["quoted"] = 1
    return dict(books)


def power(books):
    """The b of quoted = a * passages^b, by least squares of the logarithms."""
    points = [(math.log(len(b)), math.log(n)) for b in books if (n := sum(p["quoted"] for p in b)) >= 5]
    x, y = (statistics.fmean(c) for c in zip(*points))
    return sum((u - x) * (v - y) for u, v in points) / sum((u - x) ** 2 for u, v in points)


def figures(books, order):
    """AUC, and of the first so many the share that is quoted; books may be in there twice."""
    passages = sorted((p for b in books for p in b), key=lambda p: p[order])
    quoted, wrong, before, at = sum(p["quoted"] for p in passages), 0.0, 0, 0
    while at < len(passages):
        end = at
        while end < len(passages) and passages[end][order] == passages[at][order]:
            end += 1
        hits = sum(p["quoted"] for p in passages[at:end])
        misses = end - at - hits
        wrong += hits * (before + misses / 2)
        before += misses
        at = end
    return [1 - wrong / (quoted * before)] + [statistics.fmean(p["quoted"] for p in passages[:n]) for n in FIRST]


def interval(values):
    values = sorted(values)
    return f"{100 * values[len(values) // 40]:.1f}-{100 * values[-1 - len(values) // 40]:.1f}"


def main(rankings, labels):
    books = read(rankings, labels)
    names, random_ = sorted(books), random.Random(1)
    samples = [[books[random_.choice(names)] for _ in names] for _ in range(SAMPLES)]
    powers = sorted(power(s) for s in samples)
    print(f"{len(books)} books, {sum(map(len, books.values()))} passages; quoted passages grow as the {power(books.values()):.2f} power "
          f"({powers[SAMPLES // 40]:.2f}-{powers[-1 - SAMPLES // 40]:.2f}) of a book's passages")
    for least, most in (50, 150), (800, sys.maxsize):
        shares = [statistics.fmean(p["quoted"] for p in b) for b in books.values() if least <= len(b) < most]
        print(f"books of {least} passages and more, below {most}: {len(shares)}, of whose passages {100 * statistics.fmean(shares):.1f} % are quoted")
    now, again = {}, {}
    for order in ORDERS:
        now[order], again[order] = figures(books.values(), order), [figures(s, order) for s in samples]
        of = [(d, p) for d, b in books.items() for p in b]
        of.sort(key=lambda dp: (dp[1][order], dp[0]))
        text = ", ".join(f"{what} {100 * v:.1f} ({interval(c)})" for what, v, c in zip(["AUC"] + [f"P@{n}" for n in FIRST], now[order], zip(*again[order])))
        for n in (12, *FIRST):
            counts = collections.Counter(d for d, _ in of[:n])
            text += f"; the first {n}: {len(counts)} books, at most {max(counts.values())} of one"
        print(f"{order}: {text}")
    for i, what in enumerate(["AUC"] + [f"P@{n}" for n in FIRST]):
        print(f"{what}, balanced less overall: {100 * (now[ORDERS[1]][i] - now[ORDERS[0]][i]):+.1f} ({interval(b[i] - a[i] for a, b in zip(again[ORDERS[0]], again[ORDERS[1]]))})")


main(*sys.argv[1:])
