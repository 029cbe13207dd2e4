"""The Python side of the GPU benchmark: a transformers encoder on PyTorch.

    python3 bench/scoring/torch_peer.py MODEL-FOLDER TEXTS.jsonl COUNT DEVICE [MAX-TOKENS [VECTORS.f32]]

MODEL-FOLDER holds config.json and tokenizer.json, and the weights, if not random
ones will do, which cost as much as any: then vectors are written for compare.py. Scaled dot-product attention, fp16 on a GPU; texts are
tokenised in batches by the library's own tokenizer, sorted by length, and run in
batches of 16,384 tokens, padded to the longest. Prints texts a second end to end
and in the model alone.
"""

import json
import pathlib
import sys
import time

import tokenizers
import torch
import transformers

BUDGET = 16384


def batches(encoded):
    """Places of texts of about one length, as many as the budget of tokens takes."""
    order = sorted(range(len(encoded)), key=lambda i: -len(encoded[i]))
    while order:
        rows = max(1, BUDGET // len(encoded[order[0]]))
        yield order[:rows]
        order = order[rows:]


def main(folder, path, count, device, most=512, out=None):
    tokenizer = tokenizers.Tokenizer.from_file(str(pathlib.Path(folder, "tokenizer.json")))
    tokenizer.no_padding()
    tokenizer.enable_truncation(int(most))
    config = transformers.AutoConfig.from_pretrained(folder)
    half = torch.float16 if device != "cpu" else torch.float32
    torch.manual_seed(1)
    given = pathlib.Path(folder, "model.safetensors").exists()
    make = (lambda **o: transformers.AutoModel.from_pretrained(folder, **o)) if given else (lambda **o: transformers.AutoModel.from_config(config, **o))
    try:
        model = make(attn_implementation="sdpa")
    except (TypeError, ValueError):  # not for this architecture in this version
        model = make()
    model = model.to(device=device, dtype=half).eval()
    with open(path, encoding="utf-8") as f:
        texts = [json.loads(line)["text"] for _, line in zip(range(int(count)), f)]
    running = 0.0

    def embed(texts):
        nonlocal running
        vectors = torch.empty(len(texts), config.hidden_size)
        encoded = [e.ids for e in tokenizer.encode_batch(texts)]
        for places in batches(encoded):
            ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(encoded[i]) for i in places], batch_first=True, padding_value=config.pad_token_id or 0)
            mask = torch.nn.utils.rnn.pad_sequence([torch.ones(len(encoded[i]), dtype=torch.int64) for i in places], batch_first=True)
            begin = time.perf_counter()
            ids, mask = ids.to(device), mask.to(device)
            hidden = model(input_ids=ids, attention_mask=mask).last_hidden_state
            pooled = (hidden * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
            vectors[places] = torch.nn.functional.normalize(pooled.float()).cpu()
            running += time.perf_counter() - begin
        return vectors

    with torch.inference_mode():
        embed(texts[:512])
        running, begin = 0.0, time.perf_counter()
        vectors = [embed(texts[at : at + 10000]) for at in range(0, len(texts), 10000)]
        elapsed = time.perf_counter() - begin
    n = len(texts)
    print(f"PyTorch {torch.__version__}, transformers {transformers.__version__}, {model.config._attn_implementation}, {half}: {n} texts in {elapsed:.1f} s = {n / elapsed:.1f} texts a second end to end, {n / running:.1f} in the model alone")
    if out and given:
        torch.cat(vectors).numpy().astype("<f4").tofile(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
