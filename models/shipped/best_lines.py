"""The best lines of each book by the encoder that did not learn from its author: how many are worth repeating?

    python3 models/shipped/best_lines.py ENCODER --default heldout.npy --sentences out/readers-sentences \\
        --passages out/readers --line-weight W [--top 30] [--grade ungraded.tsv]

ENCODER and --default are those of models/shipped/judge_encoder.py, which prints --line-weight. A line has the grade
of its span (models/shipped/grades.py). Prints, for each ten places, how many lines are graded and which share of
these is worth repeating, by genre; the same of all graded lines by the number of readers who quote them; and of
--top lines a book, put in order again by a ridge of what the encoder says of each line read alone, the
share among the first ten. --grade writes the lines that nobody has graded, to be read: document, begin, end, line.

Lines are cut as by rank/line.go, but across paragraphs too, which the tables do not tell.
"""

import argparse
import pathlib

import numpy as np
import torch
import transformers
from sklearn.linear_model import Ridge

import cutting
import data
import grades
import judge
import judge_encoder
import make
import pack_sentences
from sentence_windows import Encoder

WORDS, SENTENCES, JOINS = 60, 3, 0.5  # of rank/line.go
ALONE = 1000.0  # the ridge
BASE = 0.5  # of the encoder's own score beside the ridge's, in units of their spreads


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


@torch.inference_mode()
def vectors(folder, texts):
    """[texts, width]: the mean of the last layer over the tokens of each text, read by itself."""
    tokenizer, model = transformers.AutoTokenizer.from_pretrained(folder), Encoder(folder).base.eval()
    out, order = [None] * len(texts), sorted(range(len(texts)), key=lambda i: len(texts[i]))
    for at in range(0, len(order), 16):
        some = order[at : at + 16]
        batch = tokenizer([texts[i] for i in some], truncation=True, max_length=160, padding=True, return_tensors="pt")
        hidden, mask = model(batch["input_ids"], attention_mask=batch["attention_mask"]).last_hidden_state, batch["attention_mask"]
        mask[:, 0] = 0
        for i, vector in zip(some, (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)):
            out[i] = vector.numpy()
    return np.array(out)


def share(name, good):
    print(f"{name}: {len(good)} graded" + (f", {100 * np.mean(good):.1f} in 100 worth repeating" if len(good) else ""))


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
    torch.set_num_threads(1)

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
    if options.grade:
        options.grade.write_text("".join(f"{doc}\t{begin}\t{end}\t{' '.join(' '.join(texts[b:e]).split())}\n" for (doc, begin, end), (_, b, e) in sorted(place.items()) if (doc, begin, end) not in known), encoding="utf-8")

    rows = data.read_table(options.sentences, "passages", ["doc_id", "index", "begin", "end"])
    of = {s: r for s, r in grades.places(known, sorted(rows, key=lambda r: (r["doc_id"], r["index"]))).items() if r and read[r].all()}
    quoted = {s: max(readers[i] for i in r) for s, r in of.items()}
    for low, high in ((0, 0), (1, 1), (2, 2), (3, np.inf)):
        share(f"quoted by {low} readers" + (" or more" if high > low else ""), [known[s] >= grades.GOOD for s in of if low <= quoted[s] <= high])

    grade, number, documents, folds = (np.array(a) for a in zip(*((known[s], len(r), s[0], fold[r[0]]) for s, r in of.items())))
    best = np.array([s in good for s in of])
    base, alone = grades.as_lines(np.array([score[r].mean() for r in of.values()]), number), np.zeros(len(of))
    for k in range(make.FOLDS):
        seen, told = vectors(options.encoder / f"fold-{k}", [" ".join(texts[r]) for r in of.values()]), folds != k
        seen = (seen - seen[told].mean(0)) / seen[told].std(0)
        alone[~told] = Ridge(alpha=ALONE).fit(seen[told], grade[told]).predict(seen[~told])
    spread = lambda s: (s - s.mean()) / s.std()
    for name, s in (("the encoder", base), ("a ridge of lines read alone", alone), ("both", spread(alone) + BASE * spread(base))):
        first, n = grades.precision(s[best], grade[best], documents[best])
        print(f"of the ten best of {n} books' best lines by {name} {first:.3f} are worth repeating; AUC {judge.auc(s[best], grade[best] >= grades.GOOD):.3f}")


if __name__ == "__main__":
    main()
