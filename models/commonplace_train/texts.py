"""Texts as batches of token ids, cut as the program cuts them: longest first."""

import pathlib

import torch
from tokenizers import AddedToken, Tokenizer

from .graph import PAD


class Texts:
    def __init__(self, checkpoint, most, added=(), left=False):
        """left cuts the beginning of what is too long. added are tokens that the checkpoint lacks."""
        self.tokenizer = Tokenizer.from_file(str(pathlib.Path(checkpoint, "tokenizer.json")))
        self.added = [t for t in added if self.tokenizer.token_to_id(t) is None]
        self.tokenizer.add_special_tokens([AddedToken(t, normalized=False) for t in self.added])
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.most = most
        self.direction = "left" if left else "right"
        if left:
            self.tokenizer.enable_truncation(most, direction="left")
        self.json = self.tokenizer.to_str()  # model.yaml says how long a text may be
        self.tokenizer.enable_truncation(most, strategy="longest_first", direction=self.direction)
        self.pad = next((i for i in map(self.tokenizer.token_to_id, PAD) if i is not None), 0)

    def id(self, token):
        return self.tokenizer.token_to_id(token)

    def encode(self, texts):
        """texts are strings, or pairs of a context and a passage."""
        return self.tokenizer.encode_batch(texts)

    def bare(self, text):
        """Ids without special tokens, of any length."""
        self.tokenizer.no_truncation()
        ids = self.tokenizer.encode(text, add_special_tokens=False).ids
        self.tokenizer.enable_truncation(self.most, strategy="longest_first", direction=self.direction)
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
