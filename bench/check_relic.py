#!/usr/bin/env python3
"""Runs RELiC's public evaluation over an export.

    python bench/check_relic.py CHECKOUT FOLDER...

CHECKOUT is a clone of github.com/martiansideofthemoon/relic-retrieval, FOLDER an
export with relic/. Its scripts/relic_evaluation.py ranks the candidates of every
window, with a retriever of ours in the place of a trained one, which has seen the
answers; scripts/score_submission.py scores a submission. Both must count every
window and find every answer at the first place. Needs torch, numpy and tqdm;
where one of them or CHECKOUT is not there it says so and checks nothing.
"""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# PrefixSuffixWrapper of the public code, as far as the evaluation uses it: a
# window's vector is that of its quotation, which the model knows by the window's
# text, so ranks are 1 when sentences, candidates and indexes fit together.
RETRIEVER = '''
import json, zlib
import torch

def vector(text):
    v = torch.zeros(4096)
    for word in text.split():
        v[zlib.crc32(word.encode()) % 4096] += 1
    return v / v.norm()

class PrefixSuffixWrapper:
    def __init__(self, model, config_only=False):
        self.args = type("args", (), {"data_dir": "left_4_right_4_neg_100"})
        self.quotes = json.load(open(model + "/quotes.json"))

    def encode_batch(self, texts, vectors_type):
        return torch.stack([vector(self.quotes[t] if vectors_type == "prefix" else t) for t in texts])
'''


def run(checkout, work, script, *arguments):
    """The (instances, recall@1) that a script prints last."""
    r = subprocess.run([sys.executable, checkout / "scripts" / script, *arguments], env={"PYTHONPATH": str(work), "PATH": ""}, capture_output=True, text=True)
    if r.returncode != 0:
        sys.exit(f"{script}: {r.stderr[-2000:]}")
    last = r.stdout.rsplit("Results with all quotes", 1)[1]
    return int(re.search(r"\((\d+) instances", last).group(1)), float(re.search(r"recall@1 = ([\d.]+)", last).group(1))


def check(checkout, folder):
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "retriever_train").mkdir()
        (work / "retriever_train" / "inference_utils.py").write_text(RETRIEVER)
        good = True
        for split in ("train", "val", "test"):
            data = json.loads((folder / "relic" / f"{split}.json").read_text("utf-8"))
            known, submission = {}, {}
            for book in data.values():
                for key, (left, first, length, right) in book["quotes"].items():
                    context = " ".join((" ".join(left[-4:]) + " <mask> " + " ".join(right[:4])).split())
                    known[context] = " ".join(book["sentences"][first : first + length])
                    submission[key] = [first] + [-1] * 99
            if not data:
                print(f"{folder}: {split}.json has no book")
                continue
            (work / "quotes.json").write_text(json.dumps(known))
            (work / "submission.json").write_text(json.dumps(submission))
            for script, said in (
                ("relic_evaluation.py", run(checkout, work, "relic_evaluation.py", "--input_dir", folder / "relic", "--split", split, "--model", work)),
                ("score_submission.py", run(checkout, work, "score_submission.py", "--key_file", folder / "relic" / f"{split}.json", "--submission", work / "submission.json")),
            ):
                print(f"{folder}: {split}.json: {script}: {said[0]} of {len(submission)} windows, recall@1 {said[1]}")
                good = good and said == (len(submission), 1.0)
        return good


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    checkout = pathlib.Path(arguments[0])
    missing = [name for name in ("torch", "numpy", "tqdm") if importlib.util.find_spec(name) is None]
    if not (checkout / "scripts" / "relic_evaluation.py").is_file():
        missing.append(str(checkout))
    if missing:
        print("skipped: not here:", ", ".join(missing))
        return
    sys.exit(0 if all([check(checkout, pathlib.Path(f)) for f in arguments[1:]]) else 1)


if __name__ == "__main__":
    main(sys.argv[1:])
