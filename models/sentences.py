"""Makes a model folder that tells a line worth quoting, of a sentence encoder and a run's quotations.

    commonplace build configs/twain.yaml && commonplace label configs/twain-sentences.yaml
    python3 models/sentences.py CHECKPOINT FOLDER --sentences out/twain-sentences --paragraphs out/twain

CHECKPOINT is a folder of BERT's kind, such as the MiniLM of a sentence encoder. Its lower
layers stay as they are; a ridge regression on the mean of their tokens learns which
sentences were quoted, each beside those of its document. In the folds of the run the
sentences are judged, and the paragraphs by their best ones, as `score.sentences: 3` of a
config scores them; FOLDER then gets the model taught by all, through models/export.py.

One thread. Needs models/requirements-finetune.txt; `make quotability-sentences` does all
of this.
"""

import argparse
import bisect
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import torch
import transformers
from safetensors.torch import save_file

import data
import finetune_whole
import judge

PENALTY = 1e5  # of the ridge, over 91,181 sentences of standardised components
BEST = 3  # sentences that are a paragraph's score
LONGEST = 128  # tokens of a sentence


def spans(run):
    """Document, begin and end of a run's passages, in the order of data.read_run."""
    rows = data.read_table(run, "passages", ["doc_id", "index", "begin", "end"])
    return sorted((r["doc_id"], r["index"], r["begin"], r["end"]) for r in rows)


def holders(sentences, paragraphs):
    """The paragraph of each sentence: that which its middle is in."""
    begins = {}
    for i, (doc, _, begin, _) in enumerate(paragraphs):
        begins.setdefault(doc, []).append((begin, i))
    middles = ((doc, (begin + end) // 2) for doc, _, begin, end in sentences)
    return np.array([begins[doc][max(0, bisect.bisect_right(begins[doc], (middle, len(paragraphs))) - 1)][1] for doc, middle in middles])


def by_sentences(scores, holder, n, best):
    """Of each paragraph the mean of its best sentences' scores."""
    order = np.lexsort((-scores, holder))
    first = np.searchsorted(holder[order], np.arange(n))
    ends = np.append(first[1:], len(order))
    return np.array([scores[order[a : min(b, a + best)]].mean() if a < b else scores.min() for a, b in zip(first, ends)])


def judged(passages, scores):
    """Figures and AUC by document."""
    groups = {d: g for d, g in passages.groups().items() if 0 < (passages.counts[g] > 0).sum() < len(g)}
    f = judge.by_document(scores, passages.counts, groups)
    return np.hstack([f, 100 * np.array([[judge.auc(scores[g], passages.counts[g] > 0)] for g in groups.values()])])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--sentences", required=True, help="run of configs/twain-sentences.yaml")
    parser.add_argument("--paragraphs", required=True, help="run of configs/twain.yaml, the same books")
    parser.add_argument("--layers", type=int, default=4, help="lower ones that are kept; the upper have let go of words")
    parser.add_argument("--precision", choices=["fp32", "fp16", "int8"], default="fp32")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)

    sentences, paragraphs = data.read_run(options.sentences, "sentence"), data.read_run(options.paragraphs, "paragraph")
    holder = holders(spans(options.sentences), spans(options.paragraphs))
    fold = data.run_folds(options.paragraphs, sentences.documents, finetune_whole.FOLDS)
    target = np.log1p(sentences.counts)
    for rows in sentences.groups().values():
        target[rows] -= target[rows].mean()

    finetune_whole.LONGEST = LONGEST
    tokens = finetune_whole.Tokens(transformers.AutoTokenizer.from_pretrained(options.checkpoint), [r["text"] for r in sentences.rows])
    model = finetune_whole.Ranker(options.checkpoint, options.layers, 0).eval()
    pooled = finetune_whole.over(tokens, range(len(tokens.ids)), lambda some: model.pooled(tokens, some)).astype(np.float64)
    def taught(train):
        finetune_whole.begin(model, pooled, target, train, PENALTY)
        return pooled @ model.head.weight.detach().double().numpy()[0] + model.head.bias.item()

    scores = np.zeros(len(fold))
    for k in range(finetune_whole.FOLDS):
        scores[fold == k] = taught(fold != k)[fold == k]
    print("| | documents | NDCG@1 | NDCG@5 | NDCG@50 | rho | AUC |\n|---|---:|---|---|---|---|---|")
    for name, passages, said in (
        ("sentences", sentences, scores),
        (f"paragraphs by their best {BEST}", paragraphs, by_sentences(scores, holder, len(paragraphs.rows), BEST)),
    ):
        f = judged(passages, said)
        m, low, high = judge.interval(f)
        print(f"| {name} | {len(f)} | " + " | ".join(f"{m[c]:.1f} ({low[c]:.1f}–{high[c]:.1f})" for c in (0, 2, 5, 6, 7)) + " |", flush=True)

    taught(np.ones(len(fold), bool))
    with tempfile.TemporaryDirectory() as checkpoint:
        model.base.save_pretrained(checkpoint)
        transformers.AutoTokenizer.from_pretrained(options.checkpoint).save_pretrained(checkpoint)
        save_file({name: value.contiguous() for name, value in model.head.state_dict().items()}, pathlib.Path(checkpoint, "head.safetensors"))
        export = [sys.executable, pathlib.Path(__file__).with_name("export.py"), checkpoint, options.folder, "--head", "quotability", "--pooling", "mean"]
        source = f"models/sentences.py, {options.layers} layers of {pathlib.Path(options.checkpoint).resolve().parent.name}, taught by quotations of Mark Twain"
        subprocess.run(export + ["--max", str(LONGEST), "--precision", options.precision, "--licence", "Apache-2.0", "--source", source], check=True)


if __name__ == "__main__":
    main()
