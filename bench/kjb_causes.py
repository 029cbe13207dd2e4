#!/usr/bin/env python3
"""What the arrows of the King James Bible's table depend on (docs/datasets.md).

    python3 bench/kjb_causes.py ../shared/data/kjv/verses.csv.gz

Compares the verses with a published count with four groups: all others; the
least quoted fifth of the counted against the most quoted fifth; others of the
same length; others of the same book and nearly the same length. Features are
simple readings of our own, as rates by word and, where the paper has it so, as
presence. Welch's t; p by the normal distribution, times 50 features.
"""

import csv
import gzip
import math
import random
import re
import sys

WORD = re.compile(r"[A-Za-z']+")
STOP = set("a an the and but or for of to in on at by with from as that this these those i you he it we they thou ye his her their my thy our is was be are were been not no if so then when which who whom what all unto upon there she your".split())
THIRD = set("he him his himself she her hers herself they them their theirs themselves it its itself".split())
DIALOGUE = set("say says said saith sayest saying spake speak speaketh answer answered answereth cry cried crieth tell told ask asked asketh call called commanded".split())
SUPERLATIVE = set("most least best worst greatest highest chiefest eldest youngest".split())
PAST = set("was were had did said went came saw made took gave knew told sat stood spake brought begat dwelt died fell sent found heard built ate slew smote wept arose bare".split())


def features(text):
    words = [w.lower() for w in WORD.findall(text)]
    share = lambda has: sum(map(has, words)) / len(words)  # noqa: E731
    some = lambda of: float(any(w in of for w in words))  # noqa: E731
    return {
        "begins with a stop word": float(words[0] in STOP),
        "% indefinite": share(lambda w: w in ("a", "an")),
        "% third person": share(lambda w: w in THIRD),
        "% dialogue": share(lambda w: w in DIALOGUE),
        "dialogue, presence": some(DIALOGUE),
        "superlative, presence": some(SUPERLATIVE),
        "% past": share(lambda w: w in PAST or w.endswith("ed")),
    }, len(words)


def arrows(a, b):
    ma, mb = sum(a) / len(a), sum(b) / len(b)
    va, vb = sum((x - ma) ** 2 for x in a) / (len(a) - 1), sum((x - mb) ** 2 for x in b) / (len(b) - 1)
    t = (ma - mb) / math.sqrt(va / len(a) + vb / len(b))
    p = 50 * math.erfc(abs(t) / math.sqrt(2))
    return "↑↓"[t < 0] * sum(p < limit for limit in (0.05, 0.01, 0.001, 0.0001)) or "–", t


def main(path):
    rows = list(csv.DictReader(gzip.open(path, "rt", encoding="utf-8")))
    read = [features(r["text"]) for r in rows]
    counted = sorted((i for i, r in enumerate(rows) if r["newspaper_quotes"]), key=lambda i: int(rows[i]["newspaper_quotes"]))
    others = [i for i, r in enumerate(rows) if not r["newspaper_quotes"]]
    fifth = len(counted) // 5
    rng = random.Random(1)

    def matched(key):
        by = {}
        for i in others:
            by.setdefault(key(i), []).append(i)
        return [rng.choice(by[key(i)]) for i in counted if key(i) in by]

    for name, a, b in (
        ("counted, all others", counted, others),
        ("most and least quoted fifth of the counted", counted[-fifth:], counted[:fifth]),
        ("counted, others as long", counted, matched(lambda i: read[i][1])),
        ("counted, others of the book and as long", counted, matched(lambda i: (rows[i]["book"], read[i][1] // 4))),
    ):
        print(f"{name}: {len(a)} and {len(b)} verses")
        for f in read[0][0]:
            said, t = arrows([read[i][0][f] for i in a], [read[i][0][f] for i in b])
            print(f"    {f:24} {said:5} t = {t:5.1f}")


if __name__ == "__main__":
    main(sys.argv[1])
