"""The best lines of each book by the encoder that did not learn from its author: how many are worth repeating?

    python3 models/shipped/best_lines.py ENCODER --default heldout.npy --sentences out/readers-sentences \\
        --passages out/readers --line-weight W [--top 30] [--grade ungraded.tsv]

ENCODER and --default are those of models/shipped/judge_encoder.py, which prints --line-weight. A line has the grade
of its span (models/shipped/grades.py). Prints, for each ten places, how many lines are graded and which share of
these is worth repeating, by genre, with an interval over books for all; and the same of all graded lines by the number of readers
who quote them. --grade writes the lines that nobody has graded, to be read: document, begin, end, line.

Lines are cut as by rank/line.go, but across paragraphs too, which the tables do not tell.
"""

import argparse
import pathlib

import numpy as np

import cutting
import data
import grades
import judge
import judge_encoder
import make
import pack_sentences

WORDS, SENTENCES, JOINS = 60, 3, 0.5  # of rank/line.go


def line(score, words, rows):
    """The line of a passage's sentences, and its score, as rank.Line."""
    short = [i for i in rows if words[i] <= WORDS]
    if not short:
        return None
    best = max(short, key=lambda i: score[i])
    begin, end, length = best, best + 1, words[best]
    has = set(rows)
    joins = lambda i: i in has and length + words[i] <= WORDS and score[i] >= (JOINS * score[best] if score[best] > 0 else score[best])
    while end - begin < SENTENCES:
        before, behind = joins(begin - 1), joins(end)
        if behind and (not before or score[end] >= score[begin - 1]):
            length, end = length + words[end], end + 1
        elif before:
            begin -= 1
            length += words[begin]
        else:
            break
    return begin, end, float(grades.as_lines(np.mean(score[begin:end]), end - begin))


def share(name, good):
    print(f"{name}: {len(good)} graded" + (f", {100 * np.mean(good):.1f} in 100 worth repeating" if good else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder", type=pathlib.Path)
    parser.add_argument("--default", required=True)
    parser.add_argument("--sentences", required=True)
    parser.add_argument("--passages", required=True)
    parser.add_argument("--line-weight", type=float, required=True)
    parser.add_argument("--top", type=int, default=30)
    parser.add_argument("--grade", type=pathlib.Path)
    options = parser.parse_args()

    spans = cutting.spans(options.sentences)
    table = pack_sentences.read(options.sentences)
    texts, readers, genre, fold = (np.array(table[name], object if name == "text" else None) for name in ("text", "readers", "genre", "fold"))
    words = np.array([len(text.split()) for text in texts])
    score, read = options.line_weight * np.load(options.default)[: len(texts)], np.zeros(len(texts), bool)
    for k in range(make.FOLDS):
        rows, both = judge_encoder.held_out(options.encoder, fold, k)
        score[rows] += (both[:, 1] - both[:, 1].mean()) / both[:, 1].std()
        read[rows] = True
    passages = {}
    for j, i in zip(*cutting.owners(spans, cutting.spans(options.passages))):
        if read[j]:
            passages.setdefault(i, []).append(j)
    books = {}
    for rows in passages.values():
        if found := line(score, words, sorted(rows)):
            books.setdefault(spans[rows[0]][0], {})[found[:2]] = found[2]
    known = grades.read()
    span = lambda b, e: (spans[b][0], spans[b][2], spans[e - 1][3])
    place = {}
    for lines in books.values():
        for k, (b, e) in enumerate(sorted(lines, key=lambda be: -lines[be])[: options.top]):
            place[span(b, e)] = k, b, e
    good = {s: known[s] >= grades.GOOD for s in place if s in known}
    for name in [None, *sorted(set(genre))]:
        for at in range(0, options.top, 10):
            share(f"{name or 'all'}, places {at + 1} to {at + 10}", [good[s] for s, (k, b, _) in place.items() if s in good and at <= k < at + 10 and name in (None, genre[b])])
    first = [[good[s] for s in place if s in good and s[0] == book and place[s][0] < 10] for book in books]
    mean, low, high = judge.interval(np.array([[np.mean(of)] for of in first if of]))
    print(f"places 1 to 10, mean of books: {100 * mean[0]:.1f} ({100 * low[0]:.1f}–{100 * high[0]:.1f})")
    if options.grade:
        options.grade.write_text("".join(f"{doc}\t{begin}\t{end}\t{' '.join(' '.join(texts[b:e]).split())}\n" for (doc, begin, end), (_, b, e) in sorted(place.items()) if (doc, begin, end) not in known), encoding="utf-8")

    rows = data.read_table(options.sentences, "passages", ["doc_id", "index", "begin", "end"])
    of = {s: r for s, r in grades.places(known, sorted(rows, key=lambda r: (r["doc_id"], r["index"]))).items() if r and read[r].all()}
    quoted = {s: max(readers[i] for i in r) for s, r in of.items()}
    for low, high in ((0, 0), (1, 1), (2, 2), (3, np.inf)):
        share(f"quoted by {low} readers" + (" or more" if high > low else ""), [known[s] >= grades.GOOD for s in of if low <= quoted[s] <= high])


if __name__ == "__main__":
    main()
