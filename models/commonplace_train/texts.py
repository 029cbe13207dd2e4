"""Texts as batches of token ids, cut as the program cuts them: longest first, or each part for itself (packed.py)."""

import pathlib

import torch
from tokenizers import AddedToken, Tokenizer

from .graph import MASKS, PAD
from .packed import BODY_START, Packed


MASKED = MASKS[0]  # in contexts, whatever the tokenizer's own (infer/masked.go)


class Texts:
    def __init__(self, checkpoint, most, added=(), left=False, packed=None):
        """left cuts the beginning of what is too long. added are tokens that the checkpoint lacks.
        packed is tokens of a title, a body and a passage."""
        added = [*added, BODY_START] if packed else added
        self.tokenizer = Tokenizer.from_file(str(pathlib.Path(checkpoint, "tokenizer.json")))
        self.added = [t for t in added if self.tokenizer.token_to_id(t) is None]
        self.tokenizer.add_special_tokens([AddedToken(t, normalized=False) for t in self.added])
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.packed = Packed(self.tokenizer, *packed) if packed else None
        self.most = self.packed.longest if packed else most
        most = self.most
        self.direction = "left" if left else "right"
        if left:
            self.tokenizer.enable_truncation(most, direction="left")
        self.json = self.tokenizer.to_str()  # model.yaml says how long a text may be
        self.truncate()
        self.pad = next((i for i in map(self.tokenizer.token_to_id, PAD) if i is not None), 0)
        self.mask = next((m for m in MASKS if self.tokenizer.token_to_id(m) is not None), None)

    def truncate(self):
        self.tokenizer.enable_truncation(self.most, strategy="longest_first", direction=self.direction)

    def id(self, token):
        return self.tokenizer.token_to_id(token)

    def masked(self, text):
        """The tokenizer's own mask in place of [MASK], where a window's quotation stood (infer/masked.go)."""
        return text.replace(MASKED, self.mask) if self.mask else text

    def encode(self, texts):
        """texts are strings, or pairs of a context and a passage."""
        return self.tokenizer.encode_batch(texts)

    def pairs(self, rows):
        """The contexts and passages of rows."""
        rows = [r | {"context": self.masked(r["context"])} for r in rows]
        if self.packed is None:
            return self.encode([(r["context"], r["passage"]) for r in rows])
        self.tokenizer.no_truncation()
        encoded = self.packed(rows)
        self.truncate()
        return encoded

    def size(self):
        """How many tokens the encoder must have, where that is more than it has."""
        return self.tokenizer.get_vocab_size()

    def tokens(self):
        """What model.yaml says of pairs in tokens."""
        return {"truncation": "longest-first"} | ({"packed": self.packed.manifest()} if self.packed else {}) | self.mask_token()

    def mask_token(self):
        """tokens.mask of model.yaml, for heads that read contexts."""
        return {"mask": self.mask} if self.mask not in (None, MASKED) else {}

    def bare(self, text):
        """Ids without special tokens, of any length."""
        self.tokenizer.no_truncation()
        ids = self.tokenizer.encode(text, add_special_tokens=False).ids
        self.truncate()
        return ids

    def batch(self, encoded, device):
        """Ids, mask and types [n, tokens]."""
        of = lambda name, fill: [list(getattr(e, name)) + [fill] * (width - len(e.ids)) for e in encoded]
        width = max(len(e.ids) for e in encoded)
        return tuple(torch.tensor(of(name, fill), device=device) for name, fill in (("ids", self.pad), ("attention_mask", 0), ("type_ids", 0)))


def filled(lists, fill, device):
    """Lists of ids as one tensor [n, longest]."""
    width = max(map(len, lists))
    return torch.tensor([list(x) + [fill] * (width - len(x)) for x in lists], device=device)
