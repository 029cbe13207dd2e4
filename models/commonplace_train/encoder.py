"""An encoder of BERT's kind with linear layers on top."""

import sys

import torch
import transformers


class Encoder(torch.nn.Module):
    """Lower layers of a checkpoint; outputs numbers of each token, or of the text as a whole.

    pooling first or mean reads the text, mask the token of that id, none every token. attention is that of
    transformers: None takes the fastest that the checkpoint's kind has, which for RoBERTa may be eager alone.
    """

    def __init__(self, checkpoint, outputs, pooling, layers=None, mask_id=None, tokens=None, attention=None):
        super().__init__()
        config = transformers.AutoConfig.from_pretrained(checkpoint)
        if layers is not None and layers > config.num_hidden_layers:
            sys.exit(f"train: {checkpoint} has {config.num_hidden_layers} layers, --layers asks for {layers}")
        fewer = {} if layers is None else {"num_hidden_layers": layers}
        self.base = transformers.AutoModel.from_pretrained(checkpoint, attn_implementation=attention, add_pooling_layer=False, **fewer)
        if tokens and tokens > self.base.config.vocab_size:
            self.base.resize_token_embeddings(tokens)
        self.pooling, self.mask_id = pooling, mask_id
        self.head = torch.nn.Linear(self.base.config.hidden_size, outputs) if outputs else None
        if self.head is not None:
            torch.nn.init.normal_(self.head.weight, std=0.02)
            torch.nn.init.zeros_(self.head.bias)
        self.dropout = torch.nn.Dropout(0.1)

    def freeze(self, layers):
        """Embeddings and so many lower layers stay as they are."""
        for part in [self.base.embeddings, *self.base.encoder.layer[:layers]]:
            part.requires_grad_(False)

    def hidden(self, ids, mask, types):
        return self.base(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state

    def pooled(self, hidden, ids, mask):
        if self.pooling == "none":
            return hidden
        if self.pooling == "first":
            return hidden[:, 0]
        shares = mask.unsqueeze(1).to(hidden.dtype)
        if self.pooling == "mask":
            shares = (ids == self.mask_id).unsqueeze(1).to(hidden.dtype)
        return torch.bmm(shares / shares.sum(-1, keepdim=True).clamp(min=1), hidden).squeeze(1)

    def forward(self, ids, mask, types):
        x = self.pooled(self.hidden(ids, mask, types), ids, mask)
        return x if self.head is None else self.head(self.dropout(x))


class Outputs(torch.nn.Module):
    """Some columns of an encoder's outputs as the outputs of a graph: [[0, 1, 2]] is one output
    of three numbers, [0, 1] two outputs of one number each."""

    def __init__(self, encoder, columns=None):
        super().__init__()
        self.model, self.columns = encoder, columns

    def forward(self, input_ids, attention_mask, token_type_ids):
        got = self.model(input_ids, attention_mask, token_type_ids)
        if self.columns is None:
            return (got,)
        return tuple(got[..., c] for c in self.columns)
