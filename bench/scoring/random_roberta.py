"""A checkpoint of RoBERTa-base's shape with random weights, which cost as much as any.

    python3 bench/scoring/random_roberta.py BYTE-LEVEL-BPE.json CHECKPOINT

The tokenizer is one with RoBERTa's special tokens, such as the byte-level-bpe.json
that bench/tokenizers.sh makes. Needs models/requirements.txt.
"""

import json
import pathlib
import sys

import torch
import transformers

TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>", "cls_token": "<s>", "sep_token": "</s>", "mask_token": "<mask>"}


def main(tokenizer, checkpoint):
    folder = pathlib.Path(checkpoint)
    folder.mkdir(parents=True, exist_ok=True)
    f = json.loads(pathlib.Path(tokenizer).read_text(encoding="utf-8"))
    f["model"]["merges"] = [m if isinstance(m, str) else " ".join(m) for m in f["model"]["merges"]]  # as the pinned tokenizers reads them
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(f, ensure_ascii=False), encoding="utf-8")
    transformers.PreTrainedTokenizerFast(tokenizer_file=str(path), model_max_length=512, **TOKENS).save_pretrained(folder)
    id_of = lambda token: f["model"]["vocab"].get(token, next((a["id"] for a in f["added_tokens"] if a["content"] == token), None))
    torch.manual_seed(1)
    config = transformers.RobertaConfig(
        vocab_size=50265, max_position_embeddings=514, type_vocab_size=1, bos_token_id=id_of("<s>"), pad_token_id=id_of("<pad>"), eos_token_id=id_of("</s>")
    )
    transformers.RobertaModel(config).save_pretrained(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
