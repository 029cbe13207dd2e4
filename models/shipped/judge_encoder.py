"""Judges the encoder of models/shipped/finetune_sentences.py beside the default, both held out by author.

    python3 models/shipped/judge_encoder.py ENCODER --default heldout.npy --sentences out/readers-sentences \\
        --passages out/readers [--folds 0 1 2 3 4] [--control control.jsonl.gz] [--line W] [--fast W] [--pool RATE] [--bible out/kjv-newspapers] [--scores FILE]

ENCODER is the folder that finetune_sentences.py wrote, or a file with the array held_out of its scores
(models/shipped/teacher-scores.npz). --default is what `make.py --held-out` wrote.
Prints, for the default, the encoder (its scores of what is quoted and of lines) and the encoder with half the default (or --fast of it), in units of their spread:
how passages are ranked; the AUC of the passages of a negative control (lines of book, begin, end); and quote
detection, ROUGE-1 of the pair of neighbouring sentences with the highest sum among the ten before
a readers' quotation, it and the ten behind (Tekir, Guzel, Tenekeci and Haman 2023). With --bible also how verses are ranked by the
encoder of fold "all", which learnt nothing of the Bible, and by the sum. Then: of the ten best of
each book's graded lines (models/shipped/grades.py), the share that is worth repeating. The last line
has what models/shipped/export_encoder.py wants.
"""

import argparse
import collections
import gzip
import json
import pathlib

import numpy as np
import torch
import transformers

import cutting
import data
import finetune_sentences
import grades
import judge
import make
from sentence_windows import Encoder, Sentences

AROUND = 10  # sentences on each side of a quotation
FAST, LINE = 0.5, 0.5  # of the default's score, and of the encoder's score of lines, beside its score of what is quoted, in units of their spreads
RATE = 2.0  # in units of the sum's spread: see cutting.at_rates


def rouge(chosen, quoted):
    """F1 of the words that two texts share."""
    a, b = (collections.Counter("".join(c if c.isalnum() else " " for c in text.lower()).split()) for text in (chosen, quoted))
    shared = sum((a & b).values())
    return 2 * shared / max(1, sum(a.values()) + sum(b.values()))


def detection(scores, books, readers, chosen_fold):
    """Mean ROUGE-1 over runs of sentences that readers quote, each in its surroundings; of a random pair; how many."""
    draw, ours, chance = np.random.default_rng(make.SEED), [], []
    for rows in books.groups().values():
        if not chosen_fold[rows[0]]:
            continue
        edges = np.flatnonzero(np.diff(np.concatenate([[0], readers[rows] > 0, [0]])))
        for begin, end in edges.reshape(-1, 2):
            near = rows[max(0, begin - AROUND) : end + AROUND]
            if len(near) < 2:
                continue
            quoted = " ".join(books.rows[i]["text"] for i in rows[begin:end])
            pair = lambda k: rouge(" ".join(books.rows[i]["text"] for i in near[k : k + 2]), quoted)
            ours.append(pair(int(np.argmax(scores[near[:-1]] + scores[near[1:]]))))
            chance.append(pair(int(draw.integers(len(near) - 1))))
    return 100 * np.mean(ours), 100 * np.mean(chance), len(ours)


def held_out(encoder, fold, k):
    """The sentences of a fold and their two scores, by the encoder that did not learn from it."""
    if encoder.is_file():
        scores = np.load(encoder)["held_out"]
        rows = np.flatnonzero((fold == k) & np.isfinite(scores[:, 0]))
        return rows, scores[rows].astype(np.float64)
    got = np.load(encoder / f"fold-{k}.npz")
    return got["rows"], got["scores"]


def ranked(scores, kind, books, of, holder, n, read, rate):
    """Scores of passages, whose sentences the default pools in another way than the encoder. It
    reads only some (finetune_sentences.py), and so does the program."""
    if kind == "features":
        return make.passages_by(scores, books.rows, of, holder, n)
    if rate == 0:
        return cutting.by_best(scores[of], holder, n, make.BEST)
    return cutting.at_rates(scores[of[read[of]]], holder[read[of]], n, rate)


@torch.inference_mode()
def of_verses(folder, bible):
    """Both scores of all verses, each among its neighbours, by the checkpoint in a folder."""
    config = transformers.AutoConfig.from_pretrained(folder)
    encoder = Encoder(folder, config.num_hidden_layers).eval()
    encoder.head.load_state_dict(torch.load(folder / "head.pt", weights_only=True))
    sentences = Sentences(transformers.AutoTokenizer.from_pretrained(folder), [r["text"] for r in bible.rows])
    windows = [w for rows in bible.groups().values() for w in sentences.fill(rows, finetune_sentences.READ)]
    scores = np.zeros((len(bible.rows), 2))
    for at in range(0, len(windows), 8):
        some = windows[at : at + 8]
        scores[np.concatenate(some)] = encoder(*sentences.batch(some)).float().numpy()
    return scores


def judge_lines(run, books, quoted, lines, features, judged):
    """Prints the share of good lines among each book's best, by the score of passages and of lines;
    the weight of the default's score beside the encoder's, in units of their spreads."""
    rows = {(r["doc_id"], r["index"]): r for r in data.read_table(run, "passages", ["doc_id", "index", "begin", "end"])}
    cut = [rows[r["doc_id"], r["index"]] for r in books.rows]
    known = grades.read(grades.TAUGHT)
    of = {line: rows for line, rows in grades.places(known, cut).items() if rows and judged[rows].all()}
    grade, number, documents = (np.array(a) for a in zip(*((known[line], len(rows), line[0]) for line, rows in of.items())))
    mean = lambda s: np.array([s[rows].mean() for rows in of.values()])
    columns = np.stack([mean(lines), mean(features)], 1)
    weights = np.linalg.lstsq(columns - columns.mean(0), grade - grade.mean(), rcond=None)[0]
    weight = weights[1] / weights[0]
    for name, s in (("the score of passages", mean(quoted)), ("the encoder's score of lines", columns[:, 0]), ("that and the default's score", columns @ [1, weight])):
        share, n = grades.precision(grades.as_lines(s, number), grade, documents)
        print(f"of the ten best of {n} books' graded lines by {name} {share:.3f} are worth repeating (of all {np.mean(grade >= grades.GOOD):.3f}); AUC {judge.auc(s, grade >= grades.GOOD):.3f}")
    return weight


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder", type=pathlib.Path)
    parser.add_argument("--default", required=True)
    parser.add_argument("--sentences", required=True)
    parser.add_argument("--passages", required=True)
    parser.add_argument("--folds", type=int, nargs="*", default=list(range(make.FOLDS)))
    parser.add_argument("--control")
    parser.add_argument("--bible", help="folder of a run of bench/configs/kjv-newspapers.yaml")
    parser.add_argument("--line", type=float, default=LINE, help="weight of the encoder's score of lines")
    parser.add_argument("--fast", type=float, default=FAST, help="weight of the default's score")
    parser.add_argument("--pool", type=float, default=RATE, help="the rate at which sentences are quoted; 0: the mean of the best three")
    parser.add_argument("--scores", help="file for the held-out scores of passages by both, a JSON line each: book, begin, end, score")
    options = parser.parse_args()

    books, passages = data.read_run(options.sentences, "sentence"), data.read_run(options.passages, "passage")
    readers, fold = make.columns(options.sentences, books, "readers", "fold")
    features = np.load(options.default)[: len(books.rows)]
    encoder, lines = np.zeros((2, len(books.rows)))
    outputs = []
    for k in options.folds:
        rows, scores = held_out(options.encoder, fold, k)
        outputs.append((scores.mean(0), scores.std(0)))
        encoder[rows], lines[rows] = ((scores - outputs[-1][0]) / outputs[-1][1]).T
    judged = np.isin(fold, options.folds)
    read = judged & (encoder != 0)
    spread = lambda s: (s - s[read].mean()) / s[read].std()
    encoder += options.line * lines
    both = encoder + options.fast * spread(features)
    widths = encoder[read].std(), both[read].std()
    encoder, both = encoder / widths[0], both / widths[1]

    spans = cutting.spans(options.passages)
    of, holder = cutting.owners(cutting.spans(options.sentences), spans)
    passage_readers, genre, passage_fold = make.columns(options.passages, passages, "readers", "genre", "fold")
    groups = {name: rows for name, rows in passages.groups().items() if passage_fold[rows[0]] in options.folds}
    control = collections.defaultdict(list)
    if options.control:
        with gzip.open(options.control, "rt", encoding="utf-8") as rows:
            for line in map(json.loads, rows):
                control[line["book"]].append((line["begin"], line["end"]))
    told = np.zeros(len(passages.rows))
    for i, (doc, _, begin, end) in enumerate(spans):
        told[i] = sum(2 * (min(e, end) - max(b, begin)) > min(e - b, end - begin) for b, e in control[doc])

    for kind, s in (("features", features), ("encoder", encoder), ("both", both)):
        by = ranked(s, kind, books, of, holder, len(passages.rows), read, options.pool)
        print(f"\n{kind}\n" + judge.readers_table(by, passage_readers, groups, genre))
        ours, chance, n = detection(s, books, readers, judged)
        print(f"quote detection, ROUGE-1 of the best pair: {ours:.1f} (a random pair {chance:.1f}; {n} places)")
        areas = np.array([[judge.auc(by[rows], told[rows] > 0)] for rows in groups.values() if 0 < (told[rows] > 0).sum() < len(rows)])
        if len(areas):
            mean, low, high = judge.interval(areas)
            print(f"the control: AUC {mean[0]:.3f} ({low[0]:.3f}–{high[0]:.3f}), {len(areas)} books")
    centre, width = np.mean(outputs, axis=0)
    weight = options.fast / (features[read].std() * widths[1])
    unit, share = width[0] * widths[1], options.line / widths[1]
    mean = centre[0] + unit * weight * features[read].mean()
    line = judge_lines(options.sentences, books, both, lines, spread(features), read)
    if options.bible:
        bible = data.read_run(options.bible, "verse")
        default = np.load(options.default)[len(books.rows) :][: len(bible.rows)]
        verses = of_verses(options.encoder / "fold-all", bible)
        verses = (verses[:, 0] - mean) / unit + share * (verses[:, 1] - centre[1]) / width[1]
        for kind, s in (("features", default), ("encoder", verses), ("both", verses + weight * default)):
            cells = zip(judge.SHORT, judge.short(judge.with_auc(s, bible.counts, bible.groups())))
            print(f"the Bible by {kind}: " + ", ".join(f"{c} {v}" for c, v in cells))
    print(f"\n--mean {mean:.4f} --spread {unit:.4f} --weight {weight:.4f} --line-mean {centre[1]:.4f} --line-spread {width[1]:.4f} --line-weight {line / features[read].std():.4f} --line-share {share:.4f} --rate {options.pool}")
    if options.scores:
        with open(options.scores, "w", encoding="utf-8") as out:
            for (doc, _, begin, end), s in zip(spans, by):
                out.write(json.dumps({"book": doc, "begin": begin, "end": end, "score": round(float(s), 6)}) + "\n")


if __name__ == "__main__":
    main()
