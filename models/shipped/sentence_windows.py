"""Runs of neighbouring sentences, as the head quotability-sequence reads them, and the encoder that
scores each sentence among the others.

A window is [CLS], then the tokens of each sentence with [SEP] behind them. A sentence has two scores:
is it quoted, and is it a good line. Each is the mean over its tokens of a linear function of the last layer.
"""

import numpy as np
import torch
import transformers

LONGEST = 96  # tokens of a sentence, its [SEP] among them


class Sentences:
    """Token ids of sentences, without [CLS], with [SEP] behind."""

    def __init__(self, tokenizer, texts):
        self.begin = tokenizer.cls_token_id
        self.ids = []
        for at in range(0, len(texts), 20_000):
            for ids in tokenizer(texts[at : at + 20_000], truncation=True, max_length=LONGEST + 1)["input_ids"]:
                self.ids.append(np.array(ids[1:], np.int32))
        self.lengths = np.array([len(i) for i in self.ids])

    def batch(self, windows):
        """Ids, mask and number of the sentence of each token (0: none), [windows, tokens] each, for
        windows of consecutive rows. The sentences are numbered from 1 in their order."""
        width = max(1 + self.lengths[rows].sum() for rows in windows)
        ids, mask, sentence = (np.zeros((len(windows), width), np.int64) for _ in range(3))
        number = 0
        for w, rows in enumerate(windows):
            ids[w, 0], end = self.begin, 1
            for row in rows:
                number += 1
                begin, end = end, end + self.lengths[row]
                ids[w, begin:end], sentence[w, begin:end] = self.ids[row], number
            mask[w, :end] = 1
        return torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(sentence)

    def fill(self, rows, most):
        """Rows of one document, cut into windows of as many as fit: the program's way."""
        windows, begin, room = [], 0, most - 1
        for i, row in enumerate(rows):
            if self.lengths[row] > room and i > begin:
                windows.append(rows[begin:i])
                begin, room = i, most - 1
            room -= self.lengths[row]
        return windows + [rows[begin:]] if len(rows) else windows

    def around(self, rows, at, most, left, taken):
        """Place of the first and behind the last sentence of a window around the one at a place
        of rows: of at most so many tokens, a share of the room to the left, nothing that is taken."""
        room = most - 1 - self.lengths[rows[at]]
        begin, end, before = at, at + 1, left * room
        free = lambda i, room: 0 <= i < len(rows) and not taken[i] and self.lengths[rows[i]] <= room
        while free(begin - 1, before):
            begin -= 1
            before, room = before - self.lengths[rows[begin]], room - self.lengths[rows[begin]]
        while free(end, room):
            room -= self.lengths[rows[end]]
            end += 1
        while free(begin - 1, room):
            begin -= 1
            room -= self.lengths[rows[begin]]
        return begin, end


class Encoder(torch.nn.Module):
    """The lower layers of a checkpoint of BERT's kind, such as MPNet's or RoBERTa's, and a linear layer with two outputs."""

    def __init__(self, checkpoint, layers=None, seed=0, attention=None):
        super().__init__()
        torch.manual_seed(seed)
        lower = {"num_hidden_layers": layers} if layers else {}
        self.base = transformers.AutoModel.from_pretrained(checkpoint, attn_implementation=attention, add_pooling_layer=False, **lower)
        self.base.embeddings.requires_grad_(False)
        self.head = torch.nn.Linear(self.base.config.hidden_size, 2)

    def forward(self, ids, mask, sentence):
        """[sentences, 2]: the scores of each sentence of a batch, in order."""
        half = ids.device.type != "cpu" or torch.ops.mkldnn._is_mkldnn_bf16_supported()  # without the instructions it takes a hundred times as long
        with torch.autocast(ids.device.type, dtype=torch.bfloat16, enabled=half):
            hidden = self.base(ids, attention_mask=mask).last_hidden_state
        each, sentence = self.head(hidden.float()).flatten(0, 1), sentence.ravel()
        n = int(sentence.max()) + 1
        sum_ = torch.zeros(n, 2, device=each.device).index_add(0, sentence, each)
        return (sum_ / torch.bincount(sentence, minlength=n)[:, None])[1:]
