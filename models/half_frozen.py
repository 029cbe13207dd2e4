"""A Hugging Face encoder whose lower layers are frozen and run once.

What the frozen layers say of an input never changes, so it is kept in a file and
every epoch, fold and scoring begins above it. Of the last layer only the places
that are read are worked out: the first token, or the [SEP] behind each passage.
Both change nothing but the last bits (what is kept is fp16): `models/test_finetune.py`
holds them to the model called as a whole.
"""

import pathlib
import sys

import numpy as np
import torch

TOKENS = 2048  # of one run, padding included


class HalfFrozen(torch.nn.Module):
    """model is one for sequence or token classification with one label; frozen layers, and with them the embeddings."""

    def __init__(self, model, frozen):
        super().__init__()
        self.model, self.frozen = model, frozen
        self.base = model.base_model
        self.layers = getattr(getattr(self.base, "encoder", None), "layer", None)
        if self.layers is None:
            sys.exit(f"finetune: {type(self.base).__name__} keeps its layers elsewhere than encoder.layer, as BERT, RoBERTa, XLM-R and MiniLM do")
        if not 0 <= frozen < len(self.layers):
            sys.exit(f"finetune: --freeze {frozen} of {len(self.layers)} layers: leave at least one to train")
        self.below_parts = [self.base.embeddings, *self.layers[:frozen]] if frozen else []
        for part in self.below_parts:
            part.requires_grad_(False)

    def train(self, mode=True):
        super().train(mode)
        for part in self.below_parts:
            part.eval()  # no dropout in what is run once
        return self

    def below(self, ids, mask):
        """ids and mask [n, tokens] -> [n, tokens, d], after the frozen layers."""
        hidden = self.base.embeddings(input_ids=ids)
        for layer in self.layers[: self.frozen]:
            hidden = layer(hidden, extend(mask, hidden.dtype))[0]
        return hidden

    def above(self, hidden, mask, at):
        """hidden [n, tokens, d], the places to read [n, m] -> scores [n, m]."""
        extended = extend(mask, hidden.dtype)
        for layer in self.layers[self.frozen : -1]:
            hidden = layer(hidden, extended)[0]
        hidden = read_at(self.layers[-1], hidden, extended, at)
        if getattr(self.base, "pooler", None) is not None:
            return self.model.classifier(self.model.dropout(self.base.pooler(hidden)))
        if type(self.model).__name__.endswith("ForTokenClassification"):
            hidden = self.model.dropout(hidden)
        return self.model.classifier(hidden).reshape(at.shape)


def extend(mask, dtype):
    return (1 - mask[:, None, None, :].to(dtype)) * torch.finfo(dtype).min


def read_at(layer, hidden, extended, at):
    """A whole layer of BERT's kind, but with queries and outputs at some places alone."""
    own = layer.attention.self
    places = hidden.gather(1, at[..., None].expand(-1, -1, hidden.shape[-1]))
    heads = lambda x: x.view(x.shape[0], x.shape[1], own.num_attention_heads, -1).transpose(1, 2)
    query, key, value = heads(own.query(places)), heads(own.key(hidden)), heads(own.value(hidden))
    shares = own.dropout(torch.softmax(query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5 + extended, -1))
    attended = layer.attention.output((shares @ value).transpose(1, 2).flatten(2), places)
    return layer.output(layer.intermediate(attended), attended)


class Inputs:
    """Token ids of inputs, the places to read in each, and what the frozen layers say of them."""

    def __init__(self, ids, places, pad=0):
        self.ids, self.places, self.pad = ids, places, pad
        self.lengths = np.array([len(i) for i in ids])
        self.offsets = np.concatenate([[0], np.cumsum(self.lengths)])
        self.kept = None

    def keep(self, model, file, log=print):
        """Runs the frozen layers over all inputs, unless the file says what they gave."""
        file = pathlib.Path(file)
        if not file.exists():
            made = file.with_suffix(".part")
            shape = (int(self.offsets[-1]), model.base.config.hidden_size)
            kept = np.lib.format.open_memmap(made, "w+", np.float16, shape)
            model.eval()
            done = 0
            with torch.inference_mode():
                for batch in self.batches(range(len(self.ids))):
                    ids, mask = self.padded(batch)
                    hidden = model.below(ids, mask).half().numpy()
                    for row, i in zip(hidden, batch, strict=True):
                        kept[self.offsets[i] : self.offsets[i + 1]] = row[: self.lengths[i]]
                    done += len(batch)
                    if done // 5000 != (done - len(batch)) // 5000:
                        log(f"frozen layers: {done} of {len(self.ids)} inputs")
            kept.flush()
            made.rename(file)
        self.kept = np.load(file, mmap_mode="r")

    def batches(self, some):
        """Runs of inputs of like length, each within TOKENS."""
        batch, longest = [], 0
        for i in sorted(some, key=lambda i: (self.lengths[i], i)):
            longest = self.lengths[i]
            if batch and longest * (len(batch) + 1) > TOKENS:
                yield batch
                batch = []
            batch.append(i)
        if batch:
            yield batch

    def padded(self, batch):
        ids = torch.full((len(batch), int(self.lengths[batch].max())), self.pad)
        mask = torch.zeros_like(ids)
        for row, i in enumerate(batch):
            ids[row, : self.lengths[i]] = torch.tensor(self.ids[i])
            mask[row, : self.lengths[i]] = 1
        return ids, mask

    def scores(self, model, some):
        """The scores of inputs, one for each place that is read, in the order given."""
        found = {}
        for batch in self.batches(dict.fromkeys(some)):
            ids, mask = self.padded(batch)
            if self.kept is None:
                hidden = model.below(ids, mask)
            else:
                hidden = torch.zeros((*ids.shape, self.kept.shape[1]))
                for row, i in enumerate(batch):
                    hidden[row, : self.lengths[i]] = torch.from_numpy(self.kept[self.offsets[i] : self.offsets[i + 1]].astype(np.float32))
            at = torch.zeros((len(batch), max(len(self.places[i]) for i in batch)), dtype=torch.int64)
            for row, i in enumerate(batch):
                at[row, : len(self.places[i])] = torch.tensor(self.places[i])
            got = model.above(hidden, mask, at)
            found.update((i, got[row, : len(self.places[i])]) for row, i in enumerate(batch))
        return torch.cat([found[i] for i in some])
