"""Heads that read what is quoted of a passage: span, tag, and both on one encoder (reader; RA-MTR).

span  start and end of the quotation; the wrong passages of a context are in the same softmax (shared norm)
tag   O, B and I with a CRF; of a passage after its context, or of a passage alone (rows for token-classification)
"""

import torch

from .chain import B, I, O, Chain
from .encoder import Encoder, Outputs
from .rows import by
from .candidates import in_parts
from .texts import Texts


class Model(torch.nn.Module):
    """Start, end, and logits of O, B and I of each token."""

    def __init__(self, encoder):
        super().__init__()
        self.reader, self.crf = encoder, Chain()

    def forward(self, *inputs):
        return self.reader(*inputs)


def tokens_of(encoded, second):
    """Places of the tokens of the passage."""
    return [i for i, s in enumerate(encoded.sequence_ids) if s == (1 if second else 0)]


def labels_of(encoded, places, spans):
    """O, B and I of the passage's tokens; a token that a span covers in part is covered."""
    labels, before = [], None
    for i in places:
        begin, end = encoded.offsets[i]
        span = next((k for k, (b, e) in enumerate(spans) if begin < e and end > b), None)
        labels.append(O if span is None else I if span == before else B)
        before = span
    return labels


def untaught(labels, row):
    """How many labels the CRF takes as given: where a quotation only continues, those to its first token.

    The first token of a row with cut_begin is no beginning. Its label I is forbidden at the beginning of a text,
    so a sum over B and I, or over all labels, would still teach B: only B can stand there before an I. The loss
    is that of the other labels after this one instead. A row with cut_end needs nothing: no label says end.
    """
    return labels.index(B) + 1 if row.get("cut_begin") and B in labels else 0


def shared(a, b):
    return max(0, min(a[1], b[1]) - max(a[0], b[0]))


class Reader:
    metric = "F1"

    def __init__(self, options, rows):
        self.options, self.rows, self.purpose = options, rows, options.purpose
        self.alone = options.purpose == "token-classification"
        self.taught = "doc_id" if self.alone else "id"
        self.reads, self.tags = options.head in ("span", "reader"), options.head in ("tag", "reader")
        self.texts = Texts(options.encoder, options.max, packed=options.packed)
        self.make = lambda attention=None: Encoder(options.encoder, 5, "none", options.layers, tokens=self.texts.size(), attention=attention)
        self.model = Model(self.make())
        key = "passage_id" if self.alone else "id"
        self.questions = {split: by(rows.splits[split], key) for split in ("train", "validation")}

    def steps(self, rng):
        questions = list(self.questions["train"])
        rng.shuffle(questions)
        return in_parts(questions, self.options.batch)

    def read(self, group):
        rows = [r for q in group for r in q]
        encoded = self.texts.encode([r["text"] for r in rows]) if self.alone else self.texts.pairs(rows)
        return rows, encoded, self.model(*self.texts.batch(encoded, self.options.device)).float()

    def loss(self, group):
        rows, encoded, logits = self.read(group)
        losses = []
        if self.reads:
            losses.append(self.loss_of_spans(group, rows, encoded, logits))
        if self.tags:
            each = []
            for r, e, row in zip(rows, encoded, logits, strict=True):
                if places := tokens_of(e, not self.alone):
                    labels = labels_of(e, places, r["spans"])
                    loss = self.model.crf.loss(row[places, 2:], torch.tensor(labels, device=row.device), untaught(labels, r))
                    each.append(loss / len(places) ** 0.5)
            losses.append(torch.stack(each).mean() if each else logits.sum() * 0)
        return sum(losses)

    def loss_of_spans(self, group, rows, encoded, logits):
        """Cross entropy of start and of end over the tokens of all passages of a context.

        A row with cut_begin teaches no start, for its first span begins in an earlier passage; one with cut_end no
        end, for its last span ends in a later one. The token at such a cut is no wrong answer either.
        """
        at, losses = 0, []
        for q in group:
            flat, targets = [], {}
            for k in range(at, at + len(q)):
                places = tokens_of(encoded[k], True)
                for i in places:
                    begin, end = encoded[k].offsets[i]
                    for b, e in rows[k]["spans"]:
                        if begin < e and end > b:
                            targets.setdefault((k, b), []).append(len(flat))
                            targets[k, b] = [targets[k, b][0], len(flat)]
                    flat.append((k, i))
            at += len(q)
            if not targets:
                continue  # the span is beyond the cut
            which = torch.tensor(flat, device=logits.device)
            scores = logits[which[:, 0], which[:, 1], :2]
            for column, side, cut in ((0, 0, "cut_begin"), (1, -1, "cut_end")):
                # A span is cut off on this side if it is the row's outermost.
                off = {(k, sorted(rows[k]["spans"])[side][0]) for k, _ in targets if rows[k].get(cut)}
                right = [t[side] for key, t in targets.items() if key not in off]
                if not right:
                    continue
                neither = sorted({t[side] for key, t in targets.items() if key in off}.difference(right))
                right, neither = (torch.tensor(tokens, dtype=torch.long, device=logits.device) for tokens in (right, neither))
                some = scores[:, column].index_fill(0, neither, float("-inf"))
                losses.append(-torch.log_softmax(some, 0)[right].mean())
        return torch.stack(losses).mean() if losses else logits.sum() * 0

    def span(self, encoded, row):
        """The best start and end of a passage, as code points."""
        places = tokens_of(encoded, True)
        if not places:
            return 0, 0
        sums = row[places, 0][:, None] + row[places, 1][None, :]
        sums = sums.masked_fill(torch.ones_like(sums).tril(-1).bool(), float("-inf"))
        i, j = divmod(int(sums.argmax()), len(places))
        return encoded.offsets[places[i]][0], encoded.offsets[places[j]][1]

    def judge(self):
        """F1 of code points: of the span of each passage with one, or of what is tagged of all."""
        found, covered, said, true = [], 0, 0, 0
        for part in in_parts(self.questions["validation"], 32):
            for r, e, row in zip(*self.read(part), strict=True):
                if self.reads and r["spans"]:
                    span = self.span(e, row)
                    length = span[1] - span[0] + r["spans"][0][1] - r["spans"][0][0]
                    found.append(2 * shared(span, r["spans"][0]) / max(1, length))
                if self.tags and (places := tokens_of(e, not self.alone)):
                    for i, label in zip(places, self.model.crf.best(row[places, 2:]), strict=True):
                        if label != O:
                            said += e.offsets[i][1] - e.offsets[i][0]
                            covered += sum(shared(e.offsets[i], s) for s in r["spans"])
                    true += sum(end - begin for begin, end in r["spans"])
        quality = [sum(found) / max(1, len(found))] if self.reads else []
        return sum(quality + ([2 * covered / max(1, said + true)] if self.tags else [])) / (self.reads + self.tags)

    def folders(self):
        both = self.options.head == "reader"
        tokens = self.texts.tokens()
        if self.reads:
            yield "span" if both else "model", "span", lambda m: Outputs(m, [0, 1]), self.make, self.texts, {"tokens": tokens, "state": "reader."}
        if self.tags:
            yield "tag" if both else "model", "tag", lambda m: Outputs(m, [[2, 3, 4]]), self.make, self.texts, {"tokens": tokens, "state": "reader.", "tag": self.model.crf.manifest() | ({"alone": True} if self.alone else {})}
