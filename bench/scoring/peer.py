"""The Python side of the scoring benchmark: sentence-transformers on one thread.

    python3 bench/scoring/peer.py CHECKPOINT TEXTS.jsonl COUNT VECTORS.f32 [MAX-TOKENS]

The first COUNT texts are embedded as the library does it best on a CPU: scaled
dot-product attention, sorted by length, batches of 32. They come in blocks of
5,000, with a line after each. VECTORS gets the vectors, float32, one after
another, for compare.py.
"""

import json
import os
import resource
import sys
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["OMP_NUM_THREADS"] = "1"

import torch

torch.set_num_threads(1)

import sentence_transformers
import transformers
from sentence_transformers import SentenceTransformer


BLOCK = 5000


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
    print(f"sentence-transformers {sentence_transformers.__version__}, transformers {transformers.__version__}, torch {torch.__version__}, {attention} attention", flush=True)
    spent = done = 0
    with open(out, "wb") as f:
        for at in range(0, len(texts), BLOCK):
            begin = time.process_time()
            vectors = model.encode(texts[at : at + BLOCK], batch_size=32, normalize_embeddings=True, show_progress_bar=False)
            spent += time.process_time() - begin
            done += len(vectors)
            vectors.astype("<f4").tofile(f)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
            print(f"{done} texts: {spent:.1f} CPU s = {done / spent:.2f} texts a CPU second; peak memory {peak} MB", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
