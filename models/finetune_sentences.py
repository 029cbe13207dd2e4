"""Fine-tunes the lower layers of a sentence encoder on what readers quote, in folds by author.

    python3 models/finetune_sentences.py CHECKPOINT OUT --sentences out/readers-sentences \\
        --passages out/readers --bible out/kjv-newspapers [--folds 0 1 2 3 4] [--layers 4] [--device cuda]

CHECKPOINT is a folder of BERT's kind, such as the MiniLM of a sentence encoder. The runs and
the rows that teach are those of models/make.py, without the Bible's. For each fold
OUT/fold-N.npz gets the number and the score of every sentence that the fold holds, and
OUT/fold-N the checkpoint. Prints how well passages are ranked, alone and beside the held-out
scores of the default where --beside names them.

The mean of the tokens of the last layer kept is read by one linear layer; the loss is
weighted cross-entropy. The embeddings stay as they are. The arithmetic is bfloat16, which
takes a quarter of the time on processors that have it, and is seeded. On one thread a
fold of four layers takes 11 CPU minutes to train and 5 to score. Needs
models/requirements-finetune.txt and scikit-learn.
"""

import argparse
import pathlib
import time

import numpy as np
import torch
import transformers
from torch.nn.functional import binary_cross_entropy_with_logits

import cutting
import data
import judge
import make

EPOCHS, BATCH, LONGEST = 2, 64, 96
RATE, HEAD_RATE, WARM_UP = 1e-4, 2e-3, 200
UNQUOTED = 4  # sentences that nobody quotes for each that somebody does


class Encoder(torch.nn.Module):
    def __init__(self, checkpoint, layers):
        super().__init__()
        torch.manual_seed(make.SEED)
        self.base = transformers.AutoModel.from_pretrained(checkpoint, num_hidden_layers=layers, attn_implementation="sdpa")
        self.base.embeddings.requires_grad_(False)
        self.head = torch.nn.Linear(self.base.config.hidden_size, 1)

    def forward(self, ids, mask):
        with torch.autocast(ids.device.type, dtype=torch.bfloat16):
            hidden = self.base(ids, attention_mask=mask).last_hidden_state
        mean = (hidden.float() * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return self.head(mean)[:, 0]


class Texts:
    """Token ids of sentences, in batches of like length."""

    def __init__(self, tokenizer, texts):
        self.ids = [i for at in range(0, len(texts), 20_000) for i in tokenizer(texts[at : at + 20_000], truncation=True, max_length=LONGEST)["input_ids"]]
        self.lengths = np.array([len(i) for i in self.ids])

    def batch(self, rows, device):
        ids = np.zeros((len(rows), self.lengths[rows].max()), np.int64)
        for k, i in enumerate(rows):
            ids[k, : self.lengths[i]] = self.ids[i]
        mask = np.arange(ids.shape[1]) < self.lengths[rows][:, None]
        return torch.from_numpy(ids).to(device), torch.from_numpy(mask.astype(np.int64)).to(device)


def train(model, texts, teaching, held, device):
    rows = teaching.rows_of_books
    rows = rows[(rows < len(texts.ids)) & (teaching.fold[rows] != held)]
    draw, step, last = np.random.default_rng(make.SEED + held), 0, EPOCHS * len(rows) // BATCH
    weight = teaching.weight / teaching.weight[rows].mean()
    optimizer = torch.optim.AdamW(
        [{"params": [p for p in model.base.parameters() if p.requires_grad], "rate": RATE}, {"params": model.head.parameters(), "rate": HEAD_RATE}], weight_decay=0.01
    )
    for _ in range(EPOCHS):
        model.train()
        order = rows[draw.permutation(len(rows))]
        for part in np.array_split(order, max(1, len(order) // (BATCH * 50))):  # batches of like length, in any order
            part = part[np.argsort(texts.lengths[part], kind="stable")]
            batches = [part[i : i + BATCH] for i in range(0, len(part), BATCH)]
            draw.shuffle(batches)
            for some in batches:
                for group in optimizer.param_groups:
                    group["lr"] = group["rate"] * min(1, step / WARM_UP) * max(0.02, 1 - step / last)
                y = torch.from_numpy(teaching.quoted[some].astype(np.float32)).to(device)
                w = torch.from_numpy(weight[some].astype(np.float32)).to(device)
                loss = (binary_cross_entropy_with_logits(model(*texts.batch(some, device)), y, reduction="none") * w).mean()
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                step += 1
                if step % 200 == 0:
                    print(f"step {step} of {last}, loss {loss.item():.3f}, {time.process_time():.0f} CPU s", flush=True)


@torch.inference_mode()
def scores(model, texts, rows, device):
    model.eval()
    out = np.zeros(len(rows))
    order = np.argsort(texts.lengths[rows], kind="stable")
    for at in range(0, len(order), 128):
        some = order[at : at + 128]
        out[some] = model(*texts.batch(rows[some], device)).float().cpu().numpy()
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--sentences", required=True, help="folder of a run of configs/readers-sentences.yaml")
    parser.add_argument("--passages", required=True, help="folder of a run of configs/readers.yaml")
    parser.add_argument("--bible", required=True, help="folder of a run of configs/kjv-newspapers.yaml")
    parser.add_argument("--folds", type=int, nargs="*", default=list(range(make.FOLDS)))
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--beside", help="NumPy file of held-out scores of the same sentences, to be added in units of their spread")
    options = parser.parse_args()
    torch.set_num_threads(1)

    books, passages, bible = data.read_run(options.sentences, "sentence"), data.read_run(options.passages, "passage"), data.read_run(options.bible, "verse")
    readers, editors, genre, fold = make.columns(options.sentences, books, "readers", "editors", "genre", "fold")
    teaching = make.Teaching(books, readers, editors, genre, fold, bible, data.run_folds(options.bible, bible.documents, make.FOLDS, ["counted"]), UNQUOTED)
    texts = Texts(transformers.AutoTokenizer.from_pretrained(options.checkpoint), [r["text"] for r in books.rows])

    said = np.zeros(len(books.rows))
    for k in options.folds:
        model = Encoder(options.checkpoint, options.layers).to(options.device)
        train(model, texts, teaching, k, options.device)
        held = np.flatnonzero(fold == k)
        got = scores(model, texts, held, options.device)
        said[held] = (got - got.mean()) / got.std()
        options.out.mkdir(parents=True, exist_ok=True)
        np.savez(options.out / f"fold-{k}.npz", rows=held, scores=got)
        model.base.save_pretrained(options.out / f"fold-{k}")
        torch.save(model.head.state_dict(), options.out / f"fold-{k}" / "head.pt")

    of, holder = cutting.owners(cutting.spans(options.sentences), cutting.spans(options.passages))
    passage_readers, passage_genre, passage_fold = make.columns(options.passages, passages, "readers", "genre", "fold")
    groups = {name: rows for name, rows in passages.groups().items() if passage_fold[rows[0]] in options.folds}
    all_scores = {"the encoder": said}
    if options.beside:
        other = np.load(options.beside)[: len(said)]
        all_scores |= {"the default": other, "both": said + other / other.std()}
    for name, s in all_scores.items():
        print(f"\n{name}\n" + judge.readers_table(make.passages_by(s, books.rows, of, holder, len(passages.rows)), passage_readers, groups, passage_genre), flush=True)


if __name__ == "__main__":
    main()
