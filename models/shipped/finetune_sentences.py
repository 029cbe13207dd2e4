"""Fine-tunes the lower layers of a sentence encoder on what readers quote and on graded lines, in folds by author.

    python3 models/shipped/finetune_sentences.py CHECKPOINT OUT --sentences out/readers-sentences \\
        [--folds 0 1 2 3 4 all] [--layers 4] [--teacher OUT] [--earlier OUT] [--device cuda] [--together]

CHECKPOINT is a folder of BERT's kind, such as the MiniLM of a sentence encoder. For each fold
OUT/fold-N gets the checkpoint, and fold-N.npz the scores of the sentences that the fold holds,
as models/shipped/judge_encoder.py reads them. Fold "all" holds nothing: its checkpoint is the one to ship.

--sentences is a run of bench/configs/readers-sentences.yaml, or the file that models/shipped/pack_sentences.py
made of it. --layers 0 keeps all layers.

The encoder reads each sentence among its neighbours (models/shipped/sentence_windows.py). It learns from
windows around each quoted sentence, whose neighbours are the hard cases, and around as many
sentences taken by chance. The loss is weighted cross-entropy: of each book the unquoted weigh
twice what the quoted do, and a book's weight grows with the root of what is quoted of it. A second
output learns the grades of lines (models/shipped/grades.py), from windows around these, and with --lines from each
line without neighbours too, as a reader meets a quotation. The embeddings stay as they are.

--teacher is OUT of an earlier run of this script, with a larger checkpoint. The teacher of a fold
scores the sentences that the fold does not hold, quoted or not, and the pupil learns
both scores beside the labels (distillation: Hinton, Vinyals and Dean 2015). So nothing of a fold
reaches its pupil by way of the teacher. OUT/told-N.npy keeps these scores, [sentences, 2], NaN where
there are none: another machine can go on with them alone, in one file with the arrays told_N.

--teacher can also be a file with the array held_out (models/shipped/teacher-scores.npz): of each book the
scores by the teacher that did not learn from its fold. But that teacher learned from the other folds. So
a little of what the readers of a fold quote reaches its pupil, by way of scores of other books.

--earlier is OUT of an earlier run of this script: each fold goes on from that run's encoder of the same fold.

The arithmetic is bfloat16 where the processor has it, which takes a quarter of the time, and is
seeded. --together trains all folds at once, each in a process of
its own: they share a GPU well, since none fills it. On one thread a fold of four layers takes about 15 CPU
minutes to train and 6 to score. Needs models/shipped/requirements-encoder.txt.
"""

import argparse
import multiprocessing
import pathlib
import sys
import time

import numpy as np
import torch
import transformers
from torch.nn.functional import binary_cross_entropy_with_logits

import grades
import make
import pack_sentences
from sentence_windows import Encoder, Sentences

TRAINED, READ = 128, 256  # tokens of a window
HEAD_RATE, WARM_UP = 2e-3, 200
NEAR = 0.5  # weight of an unquoted sentence beside a quoted one; elsewhere 1
SHORTEST = 4  # words of a sentence; shorter ones are in no line
TOLD_WEIGHT = 1.0  # of a teacher's scores, beside the labels
LINES = 2  # times as many lines in a step as windows: they are shorter
ALIKE = 32  # batches whose windows are sorted by length, so that there is little to fill up
AT_ONCE = 8  # windows that are scored together on a CPU; ten times as many on a GPU


class Books:
    """The sentences of each book that can be quoted, in order, and what quotes them."""

    def __init__(self, run):
        table = pack_sentences.read(run)
        self.readers, self.editors, self.genre, self.fold = (np.array(table[name]) for name in ("readers", "editors", "genre", "fold"))
        self.texts = table["text"]
        can = np.array([len(text.split()) >= SHORTEST for text in self.texts])
        documents = np.array(table["doc_id"])
        begins = np.flatnonzero(np.r_[True, documents[1:] != documents[:-1]])
        self.rows = [rows[can[rows]] for rows in np.split(np.arange(len(documents)), begins[1:])]
        self.grade = np.array([np.nan if g is None else g for g in table["grade"]], np.float32) / grades.MOST
        line = np.array([-1 if l is None else l for l in table.get("line", [None] * len(self.texts))])  # files packed earlier have none
        of = np.flatnonzero(line >= 0)
        self.lines = [rows[can[rows]] for rows in np.split(of, 1 + np.flatnonzero(np.diff(line[of]))) if len(rows) and can[rows].any()]
        self.quoted = (self.readers > 0) | (self.editors > 0)
        self.each = np.where(self.readers > 0, 1 + np.log1p(self.readers), make.EDITOR) * np.where(np.isin(self.genre, ["verse", "drama"]), make.VERSE, 1)

    def windows(self, sentences, held, draw):
        """Windows to learn from, and each sentence's weight."""
        windows, weight = [], np.zeros(len(self.texts), np.float32)
        for rows in self.rows:
            yes = np.flatnonzero(self.quoted[rows])
            if not len(yes) or self.fold[rows[0]] == held:
                continue
            taken, near, far, other = np.zeros(len(rows), bool), [], [], []
            some = draw.choice(len(rows), min(len(rows), len(yes)), replace=False)
            graded = np.flatnonzero(np.isfinite(self.grade[rows]))
            for at, beside in [(i, near) for i in yes] + [(i, far) for i in some] + [(i, other) for i in graded]:
                if not taken[at]:
                    begin, end = sentences.around(rows, at, TRAINED, draw.random(), taken)
                    taken[begin:end] = True
                    windows.append(rows[begin:end])
                    beside += [row for row in windows[-1] if not self.quoted[row]]
            total = self.each[rows[yes]].sum() ** 0.5
            weight[rows[yes]] = self.each[rows[yes]] / total
            unit = 2 * total / max(1, NEAR * len(near) + len(far))
            weight[near], weight[far] = NEAR * unit, unit
        return windows, weight


def train(model, books, sentences, held, options, told=None):
    """told has a teacher's scores of each sentence, NaN where there are none."""
    device, size = options.device, options.batch
    draw, step = np.random.default_rng(make.SEED), 0
    groups = [
        {"params": [p for p in model.base.parameters() if p.requires_grad], "rate": options.rate},
        {"params": list(model.head.parameters()), "rate": HEAD_RATE},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    model.train()
    lines = [rows for rows in books.lines if books.fold[rows[0]] != held] if options.lines else []
    for epoch in range(options.epochs):
        windows, weight = books.windows(sentences, held, draw)
        unit = size * np.mean([weight[rows].sum() for rows in windows])
        if told is not None:
            of = fill(books, sentences, TRAINED, lambda fold: fold != held)
            windows += [of[i] for i in draw.choice(len(of), round(options.told * len(of)), replace=False)]
        together, mean = [(some, False) for some in batches(windows, sentences, size, draw)], 0
        if lines:
            together += [(some, True) for some in batches(lines, sentences, LINES * size, draw)]
            together = [together[i] for i in draw.permutation(len(together))]
        steps = options.epochs * len(together)
        for some, alone in together:
            for group in optimizer.param_groups:
                group["lr"] = group["rate"] * min(1, step / WARM_UP) * max(0.02, 1 - step / steps)
            rows = np.concatenate(some)
            says = model(*(t.to(device) for t in sentences.batch(some)))
            loss = options.graded * known(says[:, 1], books.grade[rows])
            if not alone:
                loss = loss + cross_entropy(says[:, 0], books.quoted[rows], weight[rows] / unit)
            if told is not None and not alone:
                loss = loss + TOLD_WEIGHT * (known(says[:, 0], sigmoid(told[rows, 0])) + known(says[:, 1], sigmoid(told[rows, 1])))
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            mean += 0.01 * (loss.item() - mean)
            if step % 200 == 0:
                print(f"fold {held}: step {step} of {steps}, loss {mean:.3f}, {time.process_time():.0f} CPU s", flush=True)


def batches(windows, sentences, size, draw):
    """The windows in batches of similar length, in random order."""
    length = [sentences.lengths[rows].sum() for rows in windows]
    order, together = draw.permutation(len(windows)), []
    for at in range(0, len(order), ALIKE * size):
        alike = sorted(order[at : at + ALIKE * size], key=length.__getitem__)
        together += [[windows[i] for i in alike[k : k + size]] for k in range(0, len(alike), size)]
    return [together[i] for i in draw.permutation(len(together))]


def cross_entropy(says, target, weight):
    tensor = lambda a: torch.from_numpy(np.asarray(a, np.float32)).to(says.device)
    return binary_cross_entropy_with_logits(says, tensor(target), tensor(weight), reduction="sum")


def known(says, target):
    """The mean cross-entropy where the target is not NaN."""
    has = np.isfinite(target)
    return cross_entropy(says, np.where(has, target, 0), has / max(1, has.sum()))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def fill(books, sentences, most, of):
    """Windows of at most so many tokens of the books whose fold is chosen."""
    return [w for rows in books.rows if len(rows) and of(books.fold[rows[0]]) for w in sentences.fill(rows, most)]


@torch.inference_mode()
def scores(model, sentences, windows, device):
    """[sentences, 2]: the scores of each sentence of windows, in order."""
    model.eval()
    out, together = [np.zeros((0, 2))], AT_ONCE if device == "cpu" else 10 * AT_ONCE
    for at in range(0, len(windows), together):
        out.append(model(*(t.to(device) for t in sentences.batch(windows[at : at + together]))).float().cpu().numpy())
    return np.concatenate(out)


def taught_by(folder, books, sentences, held, device):
    """[sentences, 2]: a teacher's scores of what a fold does not hold, else NaN."""
    model = Encoder(folder).to(device)
    model.head.load_state_dict(torch.load(folder / "head.pt", weights_only=True, map_location=device))
    windows = fill(books, sentences, READ, lambda fold: fold != held)
    told = np.full((len(books.texts), 2), np.nan, np.float32)
    told[np.concatenate(windows)] = scores(model, sentences, windows, device)
    return told


def told_by(teacher, name, books, sentences, held, device):
    """taught_by, once; or what a file of scores has."""
    if teacher.is_file():
        scores = np.load(teacher)
        key = "held_out" if "held_out" in scores else f"told_{name}"
        if key not in scores:
            sys.exit(f"finetune: {teacher} has {', '.join(scores.files)}, and no held_out or {key}")
        told = scores[key]
    else:
        kept = teacher / f"told-{name}.npy"
        if not kept.exists():
            np.save(kept, taught_by(teacher / f"fold-{name}", books, sentences, held, device).astype(np.float16))
        told = np.load(kept)
    if len(told) != len(books.texts):
        sys.exit(f"finetune: {teacher} is of {len(told)} sentences, and there are {len(books.texts)}")
    return told.astype(np.float32)


def one_fold(name, books, tokenizer, sentences, teachers, options):
    """Trains without a fold, and scores it. teachers are the sentences in the teacher's tokens."""
    held = make.NOWHERE if name == "all" else int(name)
    told = told_by(options.teacher, name, books, teachers, held, options.device) if options.teacher else None
    model = Encoder(options.earlier / f"fold-{name}" if options.earlier else options.checkpoint, options.layers, make.SEED).to(options.device)
    if options.earlier:
        model.head.load_state_dict(torch.load(options.earlier / f"fold-{name}" / "head.pt", weights_only=True, map_location=options.device))
    model.base.encoder.layer[: options.frozen].requires_grad_(False)
    train(model, books, sentences, held, options, told)
    folder = options.out / f"fold-{name}"
    model.base.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    torch.save(model.head.state_dict(), folder / "head.pt")
    if held != make.NOWHERE:
        windows = fill(books, sentences, READ, lambda fold: fold == held)
        np.savez(f"{folder}.npz", rows=np.concatenate(windows), scores=scores(model, sentences, windows, options.device))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--sentences", required=True, help="folder of a run of bench/configs/readers-sentences.yaml, or what pack_sentences.py made of it")
    parser.add_argument("--folds", nargs="*", default=[*map(str, range(make.FOLDS)), "all"])
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--frozen", type=int, default=0, help="lowest layers that stay as they are")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--told", type=float, default=0.5, help="share of the windows with a teacher's scores that each epoch draws")
    parser.add_argument("--rate", type=float, default=1e-4, help="of learning, of the layers")
    parser.add_argument("--batch", type=int, default=16, help="windows of a step")
    parser.add_argument("--teacher", type=pathlib.Path, help="OUT of a run whose encoders teach these, or a file of their scores")
    parser.add_argument("--graded", type=float, default=0.5, help="weight of grades, beside the labels")
    parser.add_argument("--lines", action="store_true", help="learn from graded lines without neighbours, too")
    parser.add_argument("--earlier", type=pathlib.Path, help="OUT of an earlier run to go on from")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--together", action="store_true", help="all folds at once")
    options = parser.parse_args()
    torch.set_num_threads(1)

    books = Books(options.sentences)
    if options.lines and not books.lines:
        sys.exit(f"finetune: {options.sentences} has no graded lines; pack it again")
    read = lambda folder: (tokenizer := transformers.AutoTokenizer.from_pretrained(folder), Sentences(tokenizer, books.texts))
    tokenizer, sentences = read(options.checkpoint)
    kept = options.teacher and (options.teacher.is_file() or all((options.teacher / f"told-{name}.npy").exists() for name in options.folds))
    teachers = read(options.teacher / f"fold-{options.folds[0]}")[1] if options.teacher and not kept else None
    jobs = [(name, books, tokenizer, sentences, teachers, options) for name in options.folds]
    if not options.together:
        for job in jobs:
            one_fold(*job)
        return
    fork = multiprocessing.get_context("fork")  # shares what was read
    processes = [fork.Process(target=one_fold, args=job) for job in jobs]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    if any(process.exitcode for process in processes):
        sys.exit("finetune: a fold failed")


if __name__ == "__main__":
    main()
