"""Fine-tunes the lower layers of a sentence encoder on what readers quote, in folds by author.

    python3 models/shipped/finetune_sentences.py CHECKPOINT OUT --sentences out/readers-sentences \\
        [--folds 0 1 2 3 4 all] [--layers 4] [--device cuda]

CHECKPOINT is a folder of BERT's kind, such as the MiniLM of a sentence encoder. For each fold
OUT/fold-N gets the checkpoint, and fold-N.npz the scores of the sentences that the fold holds,
as models/shipped/judge_encoder.py reads them. Fold "all" holds nothing: its checkpoint is the one to ship.

The encoder reads each sentence among its neighbours (models/shipped/sentence_windows.py). It learns from
windows around each quoted sentence, whose neighbours are the hard cases, and around as many
sentences taken by chance. The loss is weighted cross-entropy: of each book the unquoted weigh
twice what the quoted do, and a book's weight grows with the root of what is quoted of it. The
embeddings stay as they are. The arithmetic is bfloat16, which takes a quarter of the time on
processors that have it, and is seeded. On one thread a fold of four layers takes about 15 CPU
minutes to train and 6 to score. Needs models/shipped/requirements-encoder.txt.
"""

import argparse
import pathlib
import time

import numpy as np
import torch
import transformers
from torch.nn.functional import binary_cross_entropy_with_logits

import data
import make
from sentence_windows import Encoder, Sentences

EPOCHS, BATCH = 2, 16  # windows
TRAINED, READ = 128, 256  # tokens of a window
RATE, HEAD_RATE, WARM_UP = 1e-4, 2e-3, 200
NEAR = 0.5  # weight of an unquoted sentence beside a quoted one; elsewhere 1
SHORTEST = 4  # words of a sentence; shorter ones are in no line


class Books:
    """The sentences of each book that can be quoted, in order, and what quotes them."""

    def __init__(self, run):
        books = data.read_run(run, "sentence")
        self.readers, self.editors, self.genre, self.fold = make.columns(run, books, "readers", "editors", "genre", "fold")
        self.texts = [r["text"] for r in books.rows]
        can = np.array([len(text.split()) >= SHORTEST for text in self.texts])
        self.rows = [rows[can[rows]] for rows in books.groups().values()]
        self.quoted = (self.readers > 0) | (self.editors > 0)
        self.each = np.where(self.readers > 0, 1 + np.log1p(self.readers), make.EDITOR) * np.where(np.isin(self.genre, ["verse", "drama"]), make.VERSE, 1)

    def windows(self, sentences, held, draw):
        """Windows to learn from, and each sentence's weight."""
        windows, weight = [], np.zeros(len(self.texts), np.float32)
        for rows in self.rows:
            yes = np.flatnonzero(self.quoted[rows])
            if not len(yes) or self.fold[rows[0]] == held:
                continue
            taken, near, far = np.zeros(len(rows), bool), [], []
            some = draw.choice(len(rows), min(len(rows), len(yes)), replace=False)
            for at, beside in [(i, near) for i in yes] + [(i, far) for i in some]:
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


def train(model, books, sentences, held, device):
    draw, step = np.random.default_rng(make.SEED), 0
    groups = [
        {"params": [p for p in model.base.parameters() if p.requires_grad], "rate": RATE},
        {"params": list(model.head.parameters()), "rate": HEAD_RATE},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    model.train()
    for epoch in range(EPOCHS):
        windows, weight = books.windows(sentences, held, draw)
        unit = BATCH * np.mean([weight[rows].sum() for rows in windows])
        order, steps, mean = draw.permutation(len(windows)), EPOCHS * (len(windows) // BATCH + 1), 0
        for at in range(0, len(order), BATCH):
            for group in optimizer.param_groups:
                group["lr"] = group["rate"] * min(1, step / WARM_UP) * max(0.02, 1 - step / steps)
            some = [windows[i] for i in order[at : at + BATCH]]
            rows = np.concatenate(some)
            says = model(*(t.to(device) for t in sentences.batch(some)))
            loss = binary_cross_entropy_with_logits(
                says, torch.from_numpy(books.quoted[rows].astype(np.float32)).to(device), torch.from_numpy(weight[rows] / unit).to(device), reduction="sum"
            )
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            mean += 0.01 * (loss.item() - mean)
            if step % 200 == 0:
                print(f"fold {held}: step {step} of {steps}, loss {mean:.3f}, {time.process_time():.0f} CPU s", flush=True)


@torch.inference_mode()
def scores(model, books, sentences, held, device):
    """Rows that a fold holds, and their scores."""
    model.eval()
    windows = [w for rows in books.rows if len(rows) and books.fold[rows[0]] == held for w in sentences.fill(rows, READ)]
    out = [np.zeros(0)]
    for at in range(0, len(windows), 8):
        out.append(model(*(t.to(device) for t in sentences.batch(windows[at : at + 8]))).float().cpu().numpy())
    return np.concatenate(windows), np.concatenate(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--sentences", required=True, help="folder of a run of bench/configs/readers-sentences.yaml")
    parser.add_argument("--folds", nargs="*", default=[*map(str, range(make.FOLDS)), "all"])
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    torch.set_num_threads(1)

    books = Books(options.sentences)
    tokenizer = transformers.AutoTokenizer.from_pretrained(options.checkpoint)
    sentences = Sentences(tokenizer, books.texts)
    for name in options.folds:
        held = make.NOWHERE if name == "all" else int(name)
        model = Encoder(options.checkpoint, options.layers, make.SEED).to(options.device)
        train(model, books, sentences, held, options.device)
        folder = options.out / f"fold-{name}"
        model.base.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        torch.save(model.head.state_dict(), folder / "head.pt")
        if held != make.NOWHERE:
            rows, said = scores(model, books, sentences, held, options.device)
            np.savez(f"{folder}.npz", rows=rows, scores=said)


if __name__ == "__main__":
    main()
