"""A byte-level BPE with RoBERTa's special tokens, trained on paragraphs.

    python3 bench/tokenizers/byte_level.py PARAGRAPHS.jsonl... TOKENIZER.json

PARAGRAPHS are what `commonplace segment --by paragraphs` writes.
"""

import json
import sys

from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, processors, trainers


def byte_level(texts):
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    t.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=20000, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    t.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True)])
    t.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False)
    return t


def read(paths):
    for path in paths:
        with open(path, encoding="utf-8") as f:
            yield from (json.loads(line)["text"] for line in f)


if __name__ == "__main__":
    byte_level(list(read(sys.argv[1:-1]))).save(sys.argv[-1])
