"""The reference's side of the tokenizer benchmark: ids, offsets and CPU seconds.

    python3 bench/tokenizers/peer.py TOKENIZER.json TEXTS.jsonl HASHES.txt

TEXTS has rows {"text": ...}. HASHES gets one line a text, the SHA-1 of its ids
and offsets, for bench/tokenizers (Go) to compare with. One thread; the texts are
encoded in batches of 1,000, with offsets and, to be fair, without.
"""

import hashlib
import json
import os
import struct
import sys
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"

import tokenizers


def main(path, texts_path, hashes_path):
    tokenizer = tokenizers.Tokenizer.from_file(path)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    with open(texts_path, encoding="utf-8") as f:
        texts = [json.loads(line)["text"] for line in f]
    size = sum(len(t.encode()) for t in texts)
    batches = [texts[i : i + 1000] for i in range(0, len(texts), 1000)]
    with open(hashes_path, "w") as out:
        spent = 0.0
        for batch in batches:
            begin = time.process_time()
            encodings = tokenizer.encode_batch(batch)
            spent += time.process_time() - begin
            for e in encodings:
                numbers = e.ids + [o for pair in e.offsets for o in pair]
                out.write(hashlib.sha1(struct.pack(f"<{len(numbers)}i", *numbers)).hexdigest() + "\n")
    begin = time.process_time()
    for batch in batches:
        tokenizer.encode_batch_fast(batch)
    fast = time.process_time() - begin
    print(f"tokenizers {tokenizers.__version__}: {len(texts)} texts, {size / 1e6:.1f} MB, with offsets {spent:.2f} CPU s = {size / 1e6 / spent:.2f} MB/s, without {fast:.2f} CPU s = {size / 1e6 / fast:.2f} MB/s")


if __name__ == "__main__":
    main(*sys.argv[1:])
