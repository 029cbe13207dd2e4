"""The Python side of the scoring benchmark: sentence-transformers on one thread.

    python3 bench/scoring/peer.py CHECKPOINT TEXTS.jsonl COUNT VECTORS.f32 [MAX-TOKENS]

The first COUNT texts are embedded as the library does it best on a CPU: scaled
dot-product attention, sorted by length, batches of 32. VECTORS gets the vectors,
float32, one after another, for bench/scoring (Go) to compare with.
"""

import json
import os
import sys
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["OMP_NUM_THREADS"] = "1"

import torch

torch.set_num_threads(1)

from sentence_transformers import SentenceTransformer


def main(checkpoint, path, count, out, most=256):
    with open(path, encoding="utf-8") as f:
        texts = [json.loads(line)["text"] for _, line in zip(range(int(count)), f)]
    attention = "sdpa"
    try:
        model = SentenceTransformer(checkpoint, device="cpu", model_kwargs={"attn_implementation": attention})
    except ValueError:  # not for this architecture in this version
        attention = "eager"
        model = SentenceTransformer(checkpoint, device="cpu", model_kwargs={"attn_implementation": attention})
    model.max_seq_length = int(most)
    model.encode(texts[:64])
    begin = time.process_time()
    vectors = model.encode(texts, batch_size=32, normalize_embeddings=True, show_progress_bar=False)
    spent = time.process_time() - begin
    vectors.astype("<f4").tofile(out)
    print(f"sentence-transformers, torch {torch.__version__}, {attention} attention: {len(texts)} texts in {spent:.1f} CPU s = {len(texts) / spent:.2f} texts a CPU second")


if __name__ == "__main__":
    main(*sys.argv[1:])
