"""Fine-tunes the lower layers of a sentence encoder whole, in folds by document.

    python3 models/finetune_whole.py CHECKPOINT TABLES OUT [--layers 4] [--folds 0 1 2 3 4]

CHECKPOINT is a folder of BERT's kind, such as the MiniLM of a sentence encoder; TABLES
as for models/finetune.py. OUT/scores.jsonl gets each passage's score by the model that
has not read its fold; models/train.py --beside OUT/scores.jsonl judges it, alone and
beside the models of features, in the same folds.

Unlike models/finetune.py, nothing is frozen, the mean of all tokens is read and not the
first, and the head begins as a ridge regression on what the untrained layers say, since
a head of zeros spends an epoch on finding the direction. The upper layers of a sentence
encoder have let go of words and are left out. The loss is listwise: a softmax over
passages of one document against their shares of the sum of log(1 + count). Weights are
the mean of those after each epoch from the second on. There is nothing to choose: the
settings below were fixed before the first fold was trained.

Tokens are computed without padding but in attention, which saves a third. One thread,
seeded. Needs models/requirements-finetune.txt.
"""

import argparse
import json
import math
import pathlib
import random
import sys
import time

import numpy as np
import torch
import torch.nn.functional as nn
import transformers

import counted_tables
import data
import judge

EPOCHS, RATE, BATCH, NEGATIVES, DROPOUT = 3, 5e-5, 36, 2, 0.1
LONGEST = 64  # tokens of a passage; all but a few verses are shorter
PENALTY = 3000.0  # of the ridge that the head begins as
FOLDS = 5


class Tokens:
    """The passages' token ids."""

    def __init__(self, tokenizer, texts, longest=LONGEST):
        self.ids = tokenizer(texts, truncation=True, max_length=longest)["input_ids"]
        self.lengths = np.array([len(i) for i in self.ids])


class Ranker(torch.nn.Module):
    """The lower layers of an encoder, and one number of the mean of their tokens."""

    def __init__(self, checkpoint, layers, seed):
        super().__init__()
        torch.manual_seed(seed)
        if layers > (there := transformers.AutoConfig.from_pretrained(checkpoint).num_hidden_layers):
            sys.exit(f"{checkpoint} has {there} layers, --layers asks for {layers}")
        self.base = transformers.AutoModel.from_pretrained(checkpoint, num_hidden_layers=layers)
        self.base.pooler = None
        self.head = torch.nn.Linear(self.base.config.hidden_size, 1)

    def drop(self, x):
        return nn.dropout(x, DROPOUT, self.training)

    def pooled(self, tokens, some):
        """[passages, d]: the mean over each passage's tokens, which stand in one row of all."""
        lengths = tokens.lengths[some]
        n, longest, d = len(some), int(lengths.max()), self.base.config.hidden_size
        heads = self.base.config.num_attention_heads
        flat = torch.tensor([t for i in some for t in tokens.ids[i]])
        row = torch.tensor(np.repeat(np.arange(n), lengths))
        place = torch.tensor(np.concatenate([np.arange(length) for length in lengths]))
        at = row * longest + place  # among the padded
        beyond = torch.full((n, 1, 1, longest), torch.finfo(torch.float32).min)
        for i, length in enumerate(lengths):
            beyond[i, ..., :length] = 0
        e = self.base.embeddings
        hidden = self.drop(e.LayerNorm(e.word_embeddings(flat) + e.position_embeddings(place) + e.token_type_embeddings.weight[0]))
        for layer in self.base.encoder.layer:
            own = layer.attention.self
            three = torch.cat([f(hidden) for f in (own.query, own.key, own.value)], 1)
            padded = three.new_zeros(n * longest, 3 * d).index_copy(0, at, three)
            query, key, value = padded.view(n, longest, 3, heads, d // heads).permute(2, 0, 3, 1, 4)
            shares = self.drop(torch.softmax(query @ key.transpose(-1, -2) / (d // heads) ** 0.5 + beyond, -1))
            attended = (shares @ value).transpose(1, 2).reshape(n * longest, d).index_select(0, at)
            out = layer.attention.output
            hidden = out.LayerNorm(self.drop(out.dense(attended)) + hidden)
            within = nn.gelu(layer.intermediate.dense(hidden))
            hidden = layer.output.LayerNorm(self.drop(layer.output.dense(within)) + hidden)
        return hidden.new_zeros(n, d).index_add(0, row, hidden) / torch.tensor(lengths, dtype=torch.float32)[:, None]

    def forward(self, tokens, some):
        return self.head(self.drop(self.pooled(tokens, some)))[:, 0]


def over(tokens, some, says):
    """What a function says of passages, in runs of like length."""
    found, order, i = {}, sorted(some, key=lambda i: tokens.lengths[i]), 0
    with torch.inference_mode():
        while i < len(order):
            batch = order[i : i + max(1, 2048 // tokens.lengths[order[min(len(order) - 1, i + 20)]])]
            i += len(batch)
            found.update(zip(batch, says(np.array(batch)).numpy(), strict=True))
    return np.array([found[i] for i in some])


def groups_of(documents, counts, train, rng):
    """The passages of each step of an epoch, all of one document: counted ones and NEGATIVES others for each."""
    steps = []
    for rows in documents.values():
        counted = [i for i in rows if counts[i] > 0]
        if not train[rows[0]] or not counted:
            continue
        rest = [i for i in rows if counts[i] == 0]
        rng.shuffle(counted)
        drawn = rng.sample(rest, min(len(rest), math.ceil(NEGATIVES * len(counted))))
        parts = min(len(counted), math.ceil((len(counted) + len(drawn)) / BATCH))
        steps += [counted[k::parts] + drawn[k::parts] for k in range(parts)]
    rng.shuffle(steps)
    return steps


def begin(model, pooled, target, train, penalty=PENALTY):
    """Makes the head a ridge regression on the untrained layers, of unit variance."""
    mean, scale = pooled[train].mean(0), pooled[train].std(0)
    x = (pooled - mean) / scale
    w = np.linalg.solve(x[train].T @ x[train] + penalty * np.eye(x.shape[1]), x[train].T @ target[train])
    w /= (x[train] @ w).std() * scale
    model.head.weight.data = torch.tensor(w[None], dtype=torch.float32)
    model.head.bias.data.fill_(float(-w @ mean))


def train_on(model, tokens, documents, counts, train, seed, log):
    rng = random.Random(seed)
    plan = [group for _ in range(EPOCHS) for group in groups_of(documents, counts, train, rng)]
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    mean, met, per_epoch, began = None, 0, len(plan) // EPOCHS, time.process_time()
    model.train()
    for i, group in enumerate(plan):
        optimiser.param_groups[0]["lr"] = RATE * min(1, 10 * (i + 1) / len(plan)) * max(0.0, 1 - i / len(plan))
        share = torch.log1p(torch.tensor(counts[group], dtype=torch.float32))
        loss = -(share / share.sum() * torch.log_softmax(model(tokens, np.array(group)), 0)).sum()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if (i + 1) % per_epoch == 0 and (i + 1) // per_epoch >= 2:
            met += 1
            state = {name: value.clone() for name, value in model.state_dict().items()}
            mean = state if mean is None else {n: mean[n] + (v - mean[n]) / met if v.is_floating_point() else v for n, v in state.items()}
            log(f"epoch {(i + 1) // per_epoch}: {time.process_time() - began:.0f} CPU s")
    model.load_state_dict(mean)
    model.eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("tables")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--folds", type=int, nargs="*", default=range(FOLDS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    log = lambda line: print(line, flush=True)

    table = counted_tables.passages(options.tables)
    names, passages = list(table), list(table.values())
    counts = np.array([float(p.count) for p in passages])
    documents = {}
    for i, p in enumerate(passages):
        documents.setdefault(p.doc, []).append(i)
    documents = {name: np.array(rows) for name, rows in documents.items()}
    fold = data.folds(np.array([p.doc for p in passages]), FOLDS)
    target = np.log1p(counts)
    for rows in documents.values():
        target[rows] -= target[rows].mean()
    tokens = Tokens(transformers.AutoTokenizer.from_pretrained(options.checkpoint), [p.bare for p in passages])
    everything = np.arange(len(passages))
    untrained = Ranker(options.checkpoint, options.layers, 0).eval()
    pooled = over(tokens, everything, lambda some: untrained.pooled(tokens, some)).astype(np.float64)

    options.out.mkdir(parents=True, exist_ok=True)
    scores = {}
    for k in options.folds:
        model = Ranker(options.checkpoint, options.layers, k)
        begin(model, pooled, target, fold != k)
        train_on(model, tokens, documents, counts, fold != k, k, log)
        tested = everything[fold == k]
        scores.update(zip(tested, over(tokens, tested, lambda some: model(tokens, some)), strict=True))
        figures = judge.by_document(np.array([scores.get(i, 0.0) for i in everything]), counts, {n: r for n, r in documents.items() if fold[r[0]] == k})
        log(f"fold {k}: NDCG@5 {figures[:, 2].mean():.1f}, rho {figures[:, -1].mean():.1f}")
        with open(options.out / "scores.jsonl", "w", encoding="utf-8") as f:
            f.writelines(json.dumps({"passage_id": names[i], "score": float(scores[i])}, ensure_ascii=False) + "\n" for i in sorted(scores))


if __name__ == "__main__":
    main()
