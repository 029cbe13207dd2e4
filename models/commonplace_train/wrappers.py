"""Checkpoints of Hugging Face as modules whose forward takes the graph's inputs in order and gives a tuple of tensors."""

import pathlib

import torch


class Embedding(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, token_type_ids):
        return (self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state,)


class Pooled(torch.nn.Module):
    """Pools in the graph: a GPU then gives back one vector a text, not one a token."""

    def __init__(self, model, pooling):
        super().__init__()
        self.model, self.pooling = model, pooling

    def forward(self, input_ids, attention_mask, token_type_ids):
        hidden = self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state
        if self.pooling == "first":
            return (hidden[:, 0],)
        mask = attention_mask.unsqueeze(1).to(hidden.dtype)
        return (torch.bmm(mask / mask.sum(-1, keepdim=True), hidden).squeeze(1),)


class Ranked(Pooled):
    """A linear head on what is pooled; head.safetensors of the checkpoint has its weight [1, d] and bias."""

    def __init__(self, model, pooling, path):
        super().__init__(model, pooling)
        from safetensors.torch import load_file

        self.head = torch.nn.Linear(model.config.hidden_size, 1)
        self.head.load_state_dict(load_file(pathlib.Path(path, "head.safetensors")))

    def forward(self, *inputs):
        return (self.head(super().forward(*inputs)[0]),)


class Logits(torch.nn.Module):
    def __init__(self, model, names=("logits",)):
        super().__init__()
        self.model, self.names = model, names

    def forward(self, input_ids, attention_mask, token_type_ids):
        got = self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        return tuple(getattr(got, name) for name in self.names)


class LanguageModel(torch.nn.Module):
    """Causal: ids and mask. With an encoder: the decoder's ids too."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, decoder_input_ids=None):
        more = {} if decoder_input_ids is None else {"decoder_input_ids": decoder_input_ids}
        return (self.model(input_ids=input_ids, attention_mask=attention_mask, use_cache=False, **more).logits,)
