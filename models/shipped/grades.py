"""Lines of books that language models graded: 0 (no line), 1, 2 (worth repeating by itself), 3 (memorable).

models/shipped/lines.jsonl.gz, more-lines.jsonl.gz, best-lines.jsonl.gz and later-lines.jsonl.gz have a row
{doc_id, begin, end, grade} for each; of several grades of a line the mean counts. A line is one sentence or a few
neighbours. The last two files have the best lines of each book by the encoder (models/shipped/best_lines.py) that
nobody had graded before. They did not teach it: TAUGHT did. TEACHING teaches the next encoder, and the last file judges alone.
"""

import collections
import gzip
import json
import pathlib

import numpy as np

FILES = [pathlib.Path(__file__).parent / name for name in ("lines.jsonl.gz", "more-lines.jsonl.gz", "best-lines.jsonl.gz", "later-lines.jsonl.gz")]
TAUGHT = FILES[:2]  # the shipped encoder, and its teacher
TEACHING = FILES[:3]  # the next encoder
GOOD = 1.5  # grade of a line that is worth repeating
TOGETHER = 0.3  # of rank/line.go
MOST = 3  # the highest grade


def read(paths=FILES):
    """The grade of each line, by (document, begin, end)."""
    grades = collections.defaultdict(list)
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                grades[row["doc_id"], row["begin"], row["end"]].append(row["grade"])
    return {line: sum(of) / len(of) for line, of in sorted(grades.items())}


def places(grades, sentences):
    """Of each graded line the places of the sentences of which it holds most; sentences are rows
    with doc_id, begin and end, in order."""
    begins = collections.defaultdict(list)
    for i, row in enumerate(sentences):
        begins[row["doc_id"]].append((row["begin"], i))
    begins = {doc: np.array(of) for doc, of in begins.items()}
    out = {}
    for doc, begin, end in grades:
        if doc not in begins:
            continue
        of, found = begins[doc], []
        for _, i in of[max(0, np.searchsorted(of[:, 0], begin, side="right") - 1) : np.searchsorted(of[:, 0], end)]:
            row = sentences[i]
            if 2 * (min(end, row["end"]) - max(begin, row["begin"])) > row["end"] - row["begin"]:
                found.append(int(i))
        out[doc, begin, end] = found
    return out


def of_sentences(grades, sentences):
    """The grade of each sentence's line and the line's number, by the sentence's place."""
    return {i: (grades[line], number) for number, (line, of) in enumerate(places(grades, sentences).items()) for i in of}


def as_lines(scores, sentences):
    """Scores of lines of so many sentences, as rank.Line has them: several explain each other."""
    return scores + TOGETHER * np.log(sentences) * np.abs(scores)


def precision(scores, grades, documents, top=10):
    """Of the best lines of each document with that many, the share that is worth repeating; the mean, and how many documents."""
    of = [grades[documents == d][np.argsort(-scores[documents == d], kind="stable")[:top]] >= GOOD for d in np.unique(documents)]
    of = [o.mean() for o in of if len(o) == top]
    return float(np.mean(of)), len(of)
