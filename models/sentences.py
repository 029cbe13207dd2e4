"""Makes a model folder that knows a line worth quoting, of a sentence encoder and a run's quotations.

    make quotability-sentences
    python3 models/sentences.py CHECKPOINT FOLDER --sentences out/twain-sentences --paragraphs out/twain --licence L --source S

CHECKPOINT is a folder of BERT's kind, such as the MiniLM of a sentence encoder. Its lower
layers stay as they are; a ridge regression on the mean of their tokens learns which
sentences were quoted, each beside those of its document. In the folds of the run the
sentences are judged, and the paragraphs by their best ones as `score.sentences: 3` of a
config scores them: by what stands of a sentence in the paragraph. FOLDER then gets the
model taught by all, through models/export.py.

Four penalties and four ways to join the sentences were looked at on the folds that the
figures are of; four layers are what served the verses of the Bible best. One thread, of NumPy
with OMP_NUM_THREADS=1 as make sets it. Needs models/requirements-finetune.txt.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import torch
import transformers
from safetensors.torch import save_file

import cutting
import data
import finetune_whole
import judge

PENALTY = 1e5  # of the ridge, over 91,181 sentences of standardised components
BEST = 3  # sentences that are a paragraph's score
LONGEST = 128  # tokens of a sentence

CARD = """# {name}

Is this a line worth quoting? {source}. The {layers} layers are as they came; a ridge regression
on the mean of their tokens was taught which sentences of {sentences} are quoted, each
beside those of its document.

**Use.** `score: {{model: ..., sentences: {best}}}`: a passage has the mean of its best {best} sentences, 0 is
the mean of the sentences that taught it.

**Measured**, in five folds by document, means over documents with a quoted passage in hundredths,
NDCG in the form of *Content-based models of quotation*, 95 % bootstrap intervals over documents:

{table}

**Limits.** One author's quotations, as one editor chose them, are few; scripture is another thing.
English only. Longer sentences than {longest} tokens are cut.

**Licence.** {licence}. Made by `models/sentences.py`.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--sentences", required=True, help="run of configs/twain-sentences.yaml")
    parser.add_argument("--paragraphs", required=True, help="run of configs/twain.yaml, the same books")
    parser.add_argument("--layers", type=int, default=4, help="lower ones that are kept; the upper have let go of words")
    parser.add_argument("--precision", choices=["fp32", "fp16", "int8"], default="fp32")
    parser.add_argument("--licence", required=True, help="of the checkpoint's weights")
    parser.add_argument("--source", required=True, help="of the checkpoint and of the quotations")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)

    sentences, paragraphs = data.read_run(options.sentences, "sentence"), data.read_run(options.paragraphs, "paragraph")
    if not sentences.known.any():
        sys.exit(f"sentences: nothing in {options.sentences} is quoted")
    fold = data.run_folds(options.paragraphs, sentences.documents, finetune_whole.FOLDS)
    target = np.log1p(sentences.counts)
    for rows in sentences.groups().values():
        target[rows] -= target[rows].mean()
    of, holder, begins, ends = np.array(list(cutting.parts(cutting.spans(options.sentences), cutting.spans(options.paragraphs)))).T
    texts = [r["text"] for r in sentences.rows]
    cut = [k for k in range(len(of)) if ends[k] - begins[k] < len(texts[of[k]])]  # at a paragraph's bounds
    texts += [texts[of[k]][begins[k] : ends[k]] for k in cut]
    read = of.copy()  # the text of each part
    read[cut] = len(sentences.rows) + np.arange(len(cut))

    tokenizer = transformers.AutoTokenizer.from_pretrained(options.checkpoint)
    tokens = finetune_whole.Tokens(tokenizer, texts, LONGEST)
    model = finetune_whole.Ranker(options.checkpoint, options.layers, 0).eval()
    pooled = finetune_whole.over(tokens, range(len(texts)), lambda some: model.pooled(tokens, some)).astype(np.float64)

    def teach(rows):
        """Fits the model's head to the sentences of some rows; what it says of all texts."""
        finetune_whole.begin(model, pooled[: len(rows)], target, rows, PENALTY)
        return pooled @ model.head.weight.detach().double().numpy()[0] + model.head.bias.item()

    alone, within = np.zeros(len(fold)), np.zeros(len(of))
    for k in range(finetune_whole.FOLDS):
        said = teach(fold != k)
        alone[fold == k], within[fold[of] == k] = said[: len(fold)][fold == k], said[read[fold[of] == k]]
    table = ["| | " + " | ".join(judge.SHORT) + " |", "|---|---:|---|---|---|---|---|"]
    for name, passages, scores in (
        ("sentences", sentences, alone),
        (f"paragraphs by their best {BEST}", paragraphs, cutting.by_best(within, holder, len(paragraphs.rows), BEST)),
    ):
        table.append(f"| {name} | " + " | ".join(judge.short(judge.with_auc(scores, passages.counts, passages.groups()))) + " |")
    print("\n".join(table), flush=True)

    teach(np.ones(len(fold), bool))
    with tempfile.TemporaryDirectory() as temporary:
        checkpoint = pathlib.Path(temporary, options.folder.name)
        model.base.save_pretrained(checkpoint)
        tokenizer.save_pretrained(checkpoint)
        save_file({name: value.contiguous() for name, value in model.head.state_dict().items()}, checkpoint / "head.safetensors")
        export = [sys.executable, pathlib.Path(__file__).with_name("export.py"), checkpoint, options.folder, "--head", "quotability", "--pooling", "mean"]
        subprocess.run(export + ["--max", str(LONGEST), "--precision", options.precision, "--licence", options.licence, "--source", options.source], check=True)
    (options.folder / "README.md").write_text(CARD.format(name=options.folder.name, table="\n".join(table), best=BEST, longest=LONGEST, **vars(options)), encoding="utf-8")


if __name__ == "__main__":
    main()
