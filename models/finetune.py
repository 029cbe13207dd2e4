"""Fine-tunes a Hugging Face encoder to rank passages by how often they are quoted.

    python3 models/finetune.py CHECKPOINT TABLES OUT --head quotability [--loss listwise] [--layers 5] [--freeze 4]

CHECKPOINT is a folder (config.json, weights, tokenizer.json). TABLES is the folder
of a run with label.datasets: [counts], or an export of it. OUT gets

    metrics.json    NDCG and Spearman by document, then averaged, with intervals
    scores.jsonl    passage_id and score, each passage by the model that did not see its fold
    checkpoint/     trained on all folds; models/export.py makes a model folder of it

The heads follow "Content-based models of quotation", section 6.2:

    quotability           one passage, read at the first token
    quotability-sequence  consecutive passages, 512 pieces, read at the [SEP] behind each; packed
                          with the model's own tokenizer, as `commonplace score` packs them
    pair                  trained on the table pairs with a hinge loss; used as quotability

and so does --loss poisson (exp(score) - count * score) for the first two. --loss
listwise is ours, for labels that are cut off, where a count of zero may be a missing
one: cross entropy between a softmax over passages of one document and their shares of
the sum of log(1 + count), so that only the order within a document is asked for.
Uncounted passages are drawn anew each epoch, --negatives of the same document for
each counted one.

A fifth of the training documents is held out: the epoch that ranks their counted
passages, among a sample of the others, best is kept. All is seeded and on one thread:
the same inputs and libraries give the same files. Passages are read bare, as
`commonplace score` gives them; --marks keeps positional tokens, as the paper has them,
to compare.
Needs models/requirements-finetune.txt.
"""

import argparse
import hashlib
import json
import math
import pathlib
import random
import shutil
import time

import numpy as np
import torch
import transformers

import counted_tables
import ranking_metrics
from half_frozen import HalfFrozen, Inputs

LOSSES = ("poisson", "listwise", "hinge")


def loss_of(name, scores, counts):
    """Scores [n] and counts [n] of one step; for hinge the first half is quoted more than the second."""
    if name == "poisson":
        return (scores.exp() - counts * scores).mean()
    if name == "hinge":
        half = len(scores) // 2
        return torch.relu(1 - scores[:half] + scores[half:]).mean()
    share = torch.log1p(counts)
    return -(share / share.sum() * torch.log_softmax(scores, 0)).sum()


def pack(passages, ids, begin, end, limit):
    """Consecutive passages to as many tokens as a model takes, as infer/head_quotability.go packs them."""
    inputs, places, members = [], [], []
    for p, (passage, own) in enumerate(zip(passages, ids, strict=True)):
        own = own[: limit - 2]
        if not inputs or passages[members[-1][0]].doc != passage.doc or len(inputs[-1]) + len(own) + 1 > limit:
            inputs.append([begin])
            places.append([])
            members.append([])
        inputs[-1].extend(own)
        places[-1].append(len(inputs[-1]))
        members[-1].append(p)
        inputs[-1].append(end)
    return inputs, places, members


class Data:
    """Passages, the inputs they are read in, and which passages each input holds."""

    def __init__(self, options, tokenizer):
        table = counted_tables.passages(options.tables)
        self.names, self.passages = list(table), list(table.values())
        at = {name: i for i, name in enumerate(self.names)}
        self.pairs = [(at[m], at[l]) for m, l in counted_tables.pairs(options.tables)] if options.head == "pair" else []
        self.docs = np.array([p.doc for p in self.passages])
        self.folds = np.array([p.fold for p in self.passages])
        self.counts = np.array([p.count for p in self.passages], dtype=np.float32)
        texts = [p.text if options.marks else p.bare for p in self.passages]
        if options.marks:
            marks = sorted({m for t in texts for m in counted_tables.MARKS.findall(t)})
            tokenizer.add_tokens([transformers.AddedToken(m, normalized=False) for m in marks])
        if options.head == "quotability-sequence":
            bare = tokenizer(texts, add_special_tokens=False)["input_ids"]
            ids, places, self.members = pack(self.passages, bare, tokenizer.cls_token_id, tokenizer.sep_token_id, options.max)
        else:
            ids = tokenizer(texts, truncation=True, max_length=options.max)["input_ids"]
            places, self.members = [[0]] * len(ids), [[i] for i in range(len(ids))]
        self.inputs = Inputs(ids, places, tokenizer.pad_token_id)
        self.first = np.array([m[0] for m in self.members])  # an input's first passage, for its document
        self.sums = np.array([self.counts[m].sum() for m in self.members])

    def steps(self, docs, options, rng):
        """The inputs of each step of an epoch."""
        if options.head == "pair":
            chosen = [p for p in self.pairs if self.docs[p[0]] in docs]
            rng.shuffle(chosen)
            for i in range(0, len(chosen), options.batch):
                part = chosen[i : i + options.batch]
                yield [m for m, _ in part] + [l for _, l in part]
            return
        groups = []
        for doc in docs:
            counted, rest = self.split(doc)
            rng.shuffle(counted)
            drawn = rng.sample(rest, min(len(rest), math.ceil(options.negatives * len(counted))))
            parts = math.ceil((len(counted) + len(drawn)) / options.batch) if counted else 0
            parts = min(parts, max(1, len(counted)))
            groups += [counted[k::parts] + drawn[k::parts] for k in range(parts)]
        if options.loss == "poisson":
            every = [i for g in groups for i in g]
            rng.shuffle(every)
            groups = [every[i : i + options.batch] for i in range(0, len(every), options.batch)]
        rng.shuffle(groups)
        yield from groups

    def of(self, docs):
        """All inputs of documents."""
        return [i for i, p in enumerate(self.first) if self.docs[p] in docs]

    def sample(self, docs, most, rng):
        """All inputs of documents that hold something counted, and at most as many others of each as `most` says."""
        some = []
        for doc in sorted(docs):
            counted, rest = self.split(doc)
            some += counted + rng.sample(rest, min(len(rest), most))
        return some

    def split(self, doc):
        """A document's inputs with something counted, and the others."""
        here = np.flatnonzero(self.docs[self.first] == doc).tolist()
        return [i for i in here if self.sums[i] > 0], [i for i in here if self.sums[i] == 0]

    def rank(self, model, some):
        """Passage -> score, for all passages of inputs."""
        model.eval()
        with torch.inference_mode():
            scores = self.inputs.scores(model, some).tolist()
        return dict(zip((p for i in some for p in self.members[i]), scores, strict=True))

    def figures(self, scores, counted_only=False):
        at = sorted(scores)
        return ranking_metrics.by_document(self.docs[at], [scores[p] for p in at], self.counts[at], counted_only)


def new_model(options, tokenizer):
    kind = transformers.AutoModelForTokenClassification if options.head == "quotability-sequence" else transformers.AutoModelForSequenceClassification
    torch.manual_seed(options.seed)  # of the new head
    fewer = {} if options.layers is None else {"num_hidden_layers": options.layers}
    model = kind.from_pretrained(options.checkpoint, num_labels=1, attn_implementation="eager", **fewer)
    if len(tokenizer) > model.config.vocab_size:
        model.resize_token_embeddings(len(tokenizer))
    return HalfFrozen(model, options.freeze)


def train(data, docs, options, tokenizer, log):
    """The model of the epoch that ranks a held-out fifth of the documents best, and how well it does."""
    rng = random.Random(options.seed)
    docs = sorted(docs)
    rng.shuffle(docs)
    held, docs = docs[: math.ceil(len(docs) / 5)], docs[math.ceil(len(docs) / 5) :]
    judged = data.sample(held, options.judged, rng)
    model = new_model(options, tokenizer)
    if options.freeze:
        data.inputs.keep(model, options.cache / f"{options.key}.npy", log)
    head = [p for n, p in model.model.named_parameters() if not n.startswith(model.model.base_model_prefix + ".")]
    body = [p for p in model.base.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW([{"params": body, "lr": options.lr}, {"params": head, "lr": options.head_lr}], weight_decay=0.01)
    steps = sum(1 for _ in data.steps(docs, options, random.Random(0))) * options.epochs
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda s: min(1, 10 * (s + 1) / steps) * max(0.0, 1 - s / steps))
    best, kept, told = -math.inf, None, []
    for epoch in range(options.epochs):
        began, total, n = time.process_time(), 0.0, 0
        model.train()
        for group in data.steps(docs, options, rng):
            scores = data.inputs.scores(model, group)
            counts = torch.from_numpy(data.counts[[p for i in group for p in data.members[i]]])
            loss = loss_of(options.loss, scores, counts)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(body + head, 1.0)
            optimiser.step()
            schedule.step()
            total, n = total + float(loss), n + 1
        figures = ranking_metrics.mean(data.figures(data.rank(model, judged)))
        quality = (figures[:-1].mean() + figures[-1]) / 2
        told.append(round(float(quality), 2))
        log(f"epoch {epoch + 1}: loss {total / n:.4f}; held out: NDCG@5 {figures[2]:.1f}, Spearman {figures[-1]:.1f}, both {quality:.2f}; {time.process_time() - began:.0f} CPU s")
        if quality > best:
            best, kept = quality, {k: v.clone() for k, v in model.model.state_dict().items()}
        elif epoch + 1 - np.argmax(told) > options.patience:
            break
    model.model.load_state_dict(kept)
    return model, told


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("tables")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--head", required=True, choices=["quotability", "quotability-sequence", "pair"])
    parser.add_argument("--loss", choices=LOSSES, help="default: poisson; hinge for pair")
    parser.add_argument("--layers", type=int, help="only this many of the lower layers are taken over; the upper ones of a sentence encoder have let go of words")
    parser.add_argument("--freeze", type=int, default=0, help="this many lower layers stay as they are, and the embeddings; 0 trains all")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--patience", type=int, default=2, help="epochs without a better one before it stops")
    parser.add_argument("--batch", type=int, default=32, help="inputs of a step; for pair, pairs")
    parser.add_argument("--negatives", type=float, default=5, help="uncounted inputs drawn for each counted one")
    parser.add_argument("--judged", type=int, default=150, help="uncounted inputs of each held-out document that an epoch is judged by")
    parser.add_argument("--lr", type=float, default=3e-5)
    parser.add_argument("--head-lr", type=float, default=1e-3)
    parser.add_argument("--max", type=int, help="tokens of an input; default 512 for quotability-sequence, else 128")
    parser.add_argument("--marks", action="store_true", help="keep positional tokens; the scorer does not give any")
    parser.add_argument("--folds", type=int, nargs="*", help="only these folds; none: only the checkpoint")
    parser.add_argument("--no-checkpoint", action="store_true", help="only the folds")
    parser.add_argument("--seed", type=int, default=1836)
    parser.add_argument("--cache", type=pathlib.Path, help="folder for what the frozen layers say; default OUT/cache, removed at the end")
    options = parser.parse_args()
    options.loss = options.loss or ("hinge" if options.head == "pair" else "poisson")
    if (options.loss == "hinge") != (options.head == "pair"):
        parser.error("--loss hinge is for --head pair, and the other way round")
    if options.marks and options.freeze:
        parser.error("--marks adds tokens whose embeddings must be trained: use --freeze 0")
    options.max = options.max or (512 if options.head == "quotability-sequence" else 128)
    return options


def key(options, data):
    """Names what the frozen layers say: by the weights, how many layers, and the token ids."""
    digest = hashlib.sha256(str(options.freeze).encode())
    for file in sorted(f for f in pathlib.Path(options.checkpoint).iterdir() if f.suffix in (".safetensors", ".bin")):
        digest.update(file.read_bytes())
    for ids in data.inputs.ids:
        digest.update(np.array([*ids, -1], dtype=np.int32).tobytes())
    return digest.hexdigest()[:16]


def report(data, scores, chosen, options):
    """What is known after so many folds, told and written."""
    figures = data.figures(scores)
    told = {
        "settings": {k: str(v) for k, v in sorted(vars(options).items()) if k not in ("checkpoint", "tables", "out", "cache")},
        "held out, by fold and epoch": chosen,
        "documents": len(figures),
        "empty as zero": ranking_metrics.intervals(figures),
        "among counted": ranking_metrics.intervals(data.figures(scores, counted_only=True)),
        "by document": {d: dict(zip(ranking_metrics.NAMES, [round(v, 1) for v in f])) for d, f in figures.items()},
    }
    (options.out / "metrics.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    with open(options.out / "scores.jsonl", "w", encoding="utf-8") as f:
        f.writelines(json.dumps({"passage_id": data.names[p], "score": round(scores[p], 6)}, ensure_ascii=False) + "\n" for p in sorted(scores))
    return told


def main():
    options = arguments()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    log = lambda line: print(line, flush=True)
    tokenizer = transformers.AutoTokenizer.from_pretrained(options.checkpoint)
    transformers.logging.set_verbosity_error()  # that the head is new, and upper layers are left out
    data = Data(options, tokenizer)
    options.key = key(options, data)
    own_cache = options.cache is None
    options.cache = options.cache or options.out / "cache"
    options.cache.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    folds = sorted(set(data.folds.tolist())) if options.folds is None else options.folds
    scores, chosen = {}, {}
    for fold in folds:
        log(f"fold {fold}")
        tested = set(data.docs[data.folds == fold])
        model, told = train(data, set(data.docs) - tested, options, tokenizer, log)
        scores |= data.rank(model, data.of(tested))
        chosen[fold] = told
        log(json.dumps(report(data, scores, chosen, options)["empty as zero"]))
    if not options.no_checkpoint:
        log("all documents")
        model, told = train(data, set(data.docs), options, tokenizer, log)
        model.model.save_pretrained(options.out / "checkpoint")
        tokenizer.backend_tokenizer.no_truncation()  # model.yaml says where a text is cut
        tokenizer.save_pretrained(options.out / "checkpoint")
    if own_cache:
        shutil.rmtree(options.cache)


if __name__ == "__main__":
    main()
