"""The head joint: recommendation and generation on one encoder-decoder, each promoting the other
("When and what to quote", section 3.3, Algorithm 1). OUT has choice/ and seq2seq/, which the program fuses (equation 9).
"""

import json

import torch
from torch.nn.functional import cross_entropy

from .choices import QUO
from .graph import ENCODER_INPUTS, MASKS
from .language import Generate
from .rows import lines
from .wrappers import LanguageModel


class Model(torch.nn.Module):
    """The encoder-decoder, and the recommendation module on what its encoder says at <mask>."""

    def __init__(self, model, quotations, mask_id):
        super().__init__()
        self.model, self.mask_id = model, mask_id
        size = model.config.hidden_size
        self.head = torch.nn.Sequential(torch.nn.Linear(size, size), torch.nn.Tanh(), torch.nn.Linear(size, quotations))

    def read(self, ids, mask):
        """H^c of equation 1."""
        return self.model.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state

    def recommend(self, ids, hidden):
        """r^q of equation 5: W_2 tanh(W_1 h^<mask> + b_1) + b_2."""
        at = (ids == self.mask_id).unsqueeze(1).to(hidden.dtype)
        return self.head(torch.bmm(at / at.sum(-1, keepdim=True).clamp(min=1), hidden).squeeze(1))

    def generate(self, hidden, mask, given):
        """Logits of each y_k after those before it (equation 2)."""
        return self.model(encoder_outputs=(hidden,), attention_mask=mask, decoder_input_ids=given, use_cache=False).logits


class AtMask(torch.nn.Module):
    """The recommendation module as a graph."""

    inputs = ENCODER_INPUTS[:2]

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask):
        return (self.model.recommend(input_ids, self.model.read(input_ids, attention_mask)),)


class Joint(Generate):
    metric = "log-likelihood"

    def __init__(self, options, rows):
        super().__init__(options, rows)
        if self.mask is None:
            raise SystemExit(f"train: the tokenizer of {options.encoder} has neither {' nor '.join(MASKS)}, which the head joint reads")
        self.list = [q["text"] for q in lines(rows.folder / "quotations.jsonl")]
        plain, mask = self.make, self.texts.id(self.mask)
        self.make = lambda attention: Model(plain(attention).model, len(self.list), mask)
        self.model = self.make("eager")

    def pseudo(self, logits):
        """For each context the m_q quotations of the highest p_r (equation 6), with these as their weights in
        equation 7. As in Algorithm 1, the right one is among them where the module ranks it so high.
        The weights are constants: no gradient of the generation goes through them."""
        best = logits.detach().softmax(1).topk(min(self.options.pseudo, len(self.list)), 1)
        return [list(zip(weights, which, strict=True)) for weights, which in zip(best.values.tolist(), best.indices.tolist(), strict=True)]

    def losses(self, group, pseudo=True):
        """L_rec of equation 11 and L_gen of equation 7, sums over the rows of the group."""
        ids, mask, _ = self.texts.batch(self.texts.encode(self.contexts(group)), self.options.device)
        hidden = self.model.read(ids, mask)
        quoting = [i for i, r in enumerate(group) if r["label"] == QUO]
        logits = self.model.recommend(ids[quoting], hidden[quoting]).float()
        rec = cross_entropy(logits, torch.tensor([group[i]["quotation"] for i in quoting], dtype=torch.int64, device=ids.device), reduction="sum")
        corpus = [(i, r["label"], r["target"], 1.0) for i, r in enumerate(group)]
        if pseudo:
            corpus += [(i, QUO, self.list[k], p) for i, best in zip(quoting, self.pseudo(logits), strict=True) for p, k in best]
        at, labels, targets, weights = zip(*corpus, strict=True)
        given, wanted = self.forced(labels, targets, ids.device)
        at = torch.tensor(at, device=ids.device)
        each, _ = self.surprise(self.model.generate(hidden[at], mask[at], given), wanted)
        return rec, (torch.tensor(weights, device=ids.device) * each).sum()

    def loss(self, group, pseudo=True):
        """Equation 10, L_rec + gamma L_gen, over the number of the group's rows."""
        rec, gen = self.losses(group, pseudo)
        return (rec + self.options.gamma * gen) / len(group)

    def judge(self):
        """Equation 10 without pseudo-references, with the sign that higher is better."""
        rows = self.rows.splits["validation"]
        parts = [rows[i : i + 32] for i in range(0, len(rows), 32)]
        return -sum(float(self.loss(p, pseudo=False)) * len(p) for p in parts) / max(1, len(rows))

    def folders(self):
        listed = "".join(json.dumps(text, ensure_ascii=False) + "\n" for text in self.list)
        yield "choice", "choice", AtMask, self.make, self.texts, {"files": {"choices.jsonl": listed}, "choice": {"mask": self.mask}}
        yield "seq2seq", "seq2seq", lambda m: LanguageModel(m.model), self.make, self.texts, {"tokens": self.tokens()}
