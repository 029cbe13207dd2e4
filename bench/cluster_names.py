"""Says how many names of clusters stay when a collection grows from night to night.

    python3 bench/cluster_names.py --program bin/commonplace --texts FOLDER --work WORK [--nights 3] [--each 8]

FOLDER has a text a document, whose names begin with their years. The last documents are left
out, and come back a few each night. After each build the clusters are compared with those before.
"""

import argparse
import json
import pathlib
import shutil
import subprocess

CONFIG = """
out: tables
shards: 4
sources: [{name: texts, kind: quotus, files: [texts]}]
reuse: {order: older}
align: {min_words: 8}
"""


def clusters(program, config):
    subprocess.run([program, "build", config, "--top", "0"], check=True, capture_output=True)
    rows = subprocess.run([program, "inspect", "clusters", config, "--limit", "0", "--columns", "cluster", "--format", "jsonl"],
                          check=True, capture_output=True, text=True).stdout
    return {json.loads(line)["cluster"] for line in rows.splitlines()}


def copy(files, texts):
    for f in files:
        (texts / f.parent.name).mkdir(exist_ok=True)
        shutil.copy(f, texts / f.parent.name)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--program", required=True)
    p.add_argument("--texts", required=True)
    p.add_argument("--work", required=True)
    p.add_argument("--nights", type=int, default=3)
    p.add_argument("--each", type=int, default=8)
    a = p.parse_args()
    work = pathlib.Path(a.work)
    texts = work / "texts"
    texts.mkdir(parents=True)  # a folder that is there is somebody's
    (work / "names.yaml").write_text(CONFIG)
    files = sorted(pathlib.Path(a.texts).rglob("*.txt"), key=lambda f: f.name)
    first = len(files) - a.nights * a.each
    copy(files[:first], texts)
    before = clusters(a.program, work / "names.yaml")
    for night in range(a.nights):
        copy(files[first + night * a.each:first + (night + 1) * a.each], texts)
        now = clusters(a.program, work / "names.yaml")
        print(f"night {night + 1}: {len(before & now)} of {len(before)} names stay, {len(now)} clusters")
        before = now


if __name__ == "__main__":
    main()
