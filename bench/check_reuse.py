"""Reads an export in the forms of passim and TextPAIR as their users do.

    commonplace export RUN --to FOLDER --format passim,passim-docwise,textpair
    python bench/check_reuse.py FOLDER

The functions read_jsonl and the selection of witnesses are what passim's notebook
(docs/passim_quickstart.ipynb) does with passim's output; lz4.frame and the checks of types are what TextPAIR's
web_loader.py does with its own: it makes a column of PostgreSQL of each field, without quotation
marks, and asks for the author.
"""

import glob
import itertools
import json
import os
import re
import sys

import lz4.frame
import pandas


def read_jsonl_file(f):
    return [json.loads(line) for line in f]


def read_jsonl(d):
    return list(itertools.chain.from_iterable([read_jsonl_file(open(f, encoding="utf8")) for f in sorted(glob.glob(d + "/*.json"))]))


def passim(folder):
    out = read_jsonl(folder + "/passim/out.json")
    frame = pandas.DataFrame(out)
    uids = set(frame.uid)
    for _, cluster in frame.groupby("cluster"):
        assert len(cluster) >= 2 and set(cluster["size"]) == {cluster.uid.nunique()}, cluster
    for row in out:
        assert row["end"] - row["begin"] == len(row["text"]), row["id"]
        assert all(s["uid"] in uids and s["begin"] < s["end"] for s in row["src"]), row["id"]
    pairs = read_jsonl(folder + "/passim/align.json")
    for p in pairs:
        assert len(p["s1"]) == len(p["s2"]) and p["matches"] == sum(a == b for a, b in zip(p["s1"], p["s2"])), p["id"]
        assert len(p["s1"].replace("-", "")) == p["end"] - p["begin"] and len(p["s2"].replace("-", "")) == p["end2"] - p["begin2"], p["id"]
    print(f"passim: {len(out)} passages in {frame.cluster.nunique()} clusters, {len(pairs)} pairs")


def docwise(folder):
    dw = read_jsonl(folder + "/passim-docwise/out.json")
    lines = [[line for line in doc["lines"] if "wits" in line] for doc in dw]
    for doc in dw:
        assert "".join(line["text"] for line in doc["lines"]) == doc["text"]
        for line in doc["lines"]:
            assert doc["text"][line["begin"]:].startswith(line["text"])
    print(f"docwise: {len(dw)} documents, {sum(map(len, lines))} lines with witnesses")


def textpair(folder):
    os.chdir(folder + "/textpair")
    metadata = json.load(open("metadata/metadata.json", encoding="utf8"))
    for fields in metadata.values():
        assert {"title", "author", "year"} <= fields.keys(), fields
        assert all(re.fullmatch(r"[a-z0-9_\x80-\U0010ffff]+", name) and len(name.encode()) <= 56 for name in fields), fields
    n = 0
    with lz4.frame.open("results/alignments.jsonl.lz4") as f:
        for line in f:
            a = json.loads(line)
            n += 1
            for side in ("source_", "target_"):
                begin, end = a[side + "start_byte"], a[side + "end_byte"]
                text = open(a[side + "filename"], "rb").read()[begin:end].decode()
                assert " ".join(text.split()) == a[side + "passage"].strip(), a
                assert metadata[a[side + "doc_id"]]["filename"] == a[side + "filename"]
                assert all(isinstance(v, str) for v in metadata[a[side + "doc_id"]].values())
    assert n == int(open("results/count.txt").read())
    print(f"TextPAIR: {n} alignments, {len(metadata)} documents")


if __name__ == "__main__":
    for check in (passim, docwise, textpair):
        check(os.path.abspath(sys.argv[1]))
