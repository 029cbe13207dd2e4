"""Heads of language models: yes-no (RA-MTR's reranker) and seq2seq (the generation of "When and what to quote")."""

import sys

import torch
import transformers
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from . import prompt
from .candidates import in_parts, shuffled
from .choices import GEN, QUO
from .decoder import begin_and_end
from .rows import by
from .texts import Texts, filled
from .wrappers import LanguageModel


def load(options, texts):
    """A language model, with or without an encoder, as one module."""
    config = transformers.AutoConfig.from_pretrained(options.encoder)
    kind = transformers.AutoModelForSeq2SeqLM if config.is_encoder_decoder else transformers.AutoModelForCausalLM

    def make(attention):
        model = kind.from_pretrained(options.encoder, attn_implementation=attention)
        if texts.added:
            model.resize_token_embeddings(texts.tokenizer.get_vocab_size())
        return LanguageModel(model)

    begin, end = None, None
    if config.is_encoder_decoder:
        generation = make("eager").model.generation_config
        begin, end = begin_and_end(config, generation, texts.tokenizer)
    return make, begin, end


class YesNo:
    purpose, metric, taught = "rank", "Acc@1", "id"

    def __init__(self, options, rows):
        self.options, self.rows = options, rows
        self.texts = Texts(options.encoder, options.max)
        self.make, self.begin, _ = load(options, self.texts)
        self.model = self.make("eager")
        self.answers = [self.texts.id(t) for t in (options.yes, options.no)]
        if None in self.answers:
            sys.exit(f"train: the tokenizer has no token {options.yes!r} or {options.no!r}: name two with --yes and --no")
        self.questions = {split: [q for q in by(rows.splits[split], "id") if len({r["label"] for r in q}) == 2] for split in ("train", "validation")}

    def steps(self, rng):
        return shuffled(self.questions["train"], self.options.batch, rng)

    def scores(self, group):
        """The logit of yes less that of no, after the prompt."""
        rows = [r for q in group for r in q]
        encoded = prompt.encoded(self.texts, self.options.prompt, rows)
        ids, mask, _ = self.texts.batch(encoded, self.options.device)
        if self.begin:
            target = torch.tensor([[self.texts.id(t) for t in self.begin]] * len(rows), device=ids.device)
            logits = self.model(ids, mask, target)[0][:, -1]
        else:
            logits = self.model(ids, mask)[0][torch.arange(len(rows)), mask.sum(1) - 1]
        yes, no = self.answers
        return rows, (logits[:, yes] - logits[:, no]).float()

    def loss(self, group):
        rows, scores = self.scores(group)
        return binary_cross_entropy_with_logits(scores, torch.tensor([float(r["label"]) for r in rows], device=scores.device))

    def judge(self):
        right, n = 0, 0
        for part in in_parts(self.questions["validation"], 64):
            rows, scores = self.scores(part)
            for q, of in zip(part, torch.split(scores, [len(q) for q in part]), strict=True):
                right, n = right + q[int(of.argmax())]["label"], n + 1
        return right / max(1, n)

    def folders(self):
        parts = {"yes_no": {"prompt": self.options.prompt, "yes": self.options.yes, "no": self.options.no}}
        parts["tokens"] = self.texts.mask_token() | ({"begin": self.begin} if self.begin else {})
        yield "model", "yes-no", lambda m: m, self.make, self.texts, parts


class Generate:
    """p(quotation | conversation), with the instruction <quo> or <gen> before each target, scored too
    ("When and what to quote", equations 1 to 4; joint.py has the recommendation beside it)."""

    purpose, metric = "replies", "log-probability"
    taught = "doc_id"  # conversations: the line of the quotation stands for its ordinary sentences too

    def __init__(self, options, rows):
        self.options, self.rows = options, rows
        self.texts = Texts(options.encoder, options.max, added=["<eos>", QUO, GEN], left=True)
        self.make, self.begin, self.end = load(options, self.texts)
        if not self.begin or not self.end:
            sys.exit(f"train: head {options.head} wants a model with an encoder and a decoder; {options.encoder} is none")
        self.mask = self.texts.mask  # T5 has none
        self.model = self.make("eager")

    def steps(self, rng):
        order = list(self.rows.splits["train"])
        rng.shuffle(order)
        return [order[i : i + self.options.batch] for i in range(0, len(order), self.options.batch)]

    def contexts(self, group):
        """w^c of equation 1: the turns, and <mask> where the next one is to be."""
        return [f"{r['context']} {self.mask}" if self.mask else r["context"] for r in group]

    def forced(self, labels, targets, device):
        """What the decoder is given, and the y_0 .. y_n that it is to say: the instruction, the target
        and the end; -100 where it is to say nothing."""
        begin = [self.texts.id(t) for t in self.begin]
        room = self.options.max - len(begin) - 2
        said = [[self.texts.id(y0), *self.texts.bare(t)[:room], self.texts.id(self.end)] for y0, t in zip(labels, targets, strict=True)]
        given = filled([begin + y[:-1] for y in said], self.texts.pad, device)
        return given, filled([[-100] * (len(begin) - 1) + y for y in said], -100, device)

    def surprise(self, logits, wanted):
        """For each target the sum of -log p(y_k | y_<k, H^c) over k = 0 .. n (equation 4), and how many they are."""
        each = cross_entropy(logits.float().flatten(0, 1), wanted.flatten(), ignore_index=-100, reduction="none").view(wanted.shape)
        return each.sum(1), (wanted != -100).sum(1)

    def loss(self, group):
        """Equation 4 as a mean over the tokens of a target, which is what equation 8 ranks by."""
        ids, mask, _ = self.texts.batch(self.texts.encode(self.contexts(group)), self.options.device)
        given, wanted = self.forced([r["label"] for r in group], [r["target"] for r in group], ids.device)
        each, of = self.surprise(self.model(ids, mask, given)[0], wanted)
        return (each / of).mean()

    def judge(self):
        rows = self.rows.splits["validation"]
        parts = [rows[i : i + 32] for i in range(0, len(rows), 32)]
        return -sum(float(self.loss(p)) * len(p) for p in parts) / max(1, len(rows))

    def tokens(self):
        """What model.yaml says of targets and contexts."""
        begin = self.begin if len(self.begin) > 1 else self.begin[0]
        return {"begin": begin, "instruction": QUO, "ordinary": GEN, "end": self.end} | ({"mask": self.mask} if self.mask else {})

    def folders(self):
        yield "model", "seq2seq", lambda m: m, self.make, self.texts, {"tokens": self.tokens()}
