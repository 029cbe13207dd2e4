"""Looks for paraphrases between books of the Bible, and prints the finds to be read.

    python3 bench/paraphrases.py --program ./commonplace --model MODEL --verses verses.csv.gz --out FOLDER [--unseen]

MODEL is a model folder with the head embed. The verses have the columns book and text. Sources are
Mark, Luke and Chronicles; the documents that paraphrase are Matthew, Samuel and Kings. With
--unseen they are other books, of which no pair was looked at when paraphrases.min_score was chosen.
"""

import argparse, csv, gzip, json, pathlib, subprocess

SEEN = ("Mark, Luke, 1 Chronicles, 2 Chronicles", "Matthew, 1 Samuel, 2 Samuel, 1 Kings, 2 Kings")
UNSEEN = ("Exodus, Leviticus, Numbers, Ephesians, 2 Peter, Ezra, Isaiah, Psalm, Proverbs, Romans",
          "Deuteronomy, Colossians, Jude, Nehemiah, 2 Kings, 2 Samuel, Ecclesiastes, Galatians, James")
CONFIG = """out: tables
shards: 4
sources:
  - {name: sources, files: [sources]}
  - {name: derived, files: [derived], role: derived}
paraphrases: {model: %s, by: lines}
"""

p = argparse.ArgumentParser()
for name in ("--program", "--model", "--verses", "--out"):
    p.add_argument(name, required=True, type=pathlib.Path)
p.add_argument("--unseen", action="store_true")
a = p.parse_args()

with gzip.open(a.verses, "rt", encoding="utf-8") as f:
    verses = list(csv.DictReader(f))
for role, books in zip(("sources", "derived"), UNSEEN if a.unseen else SEEN):
    (a.out / role).mkdir(parents=True, exist_ok=True)
    for book in books.split(", "):
        lines = [v["text"] for v in verses if v["book"] == book]
        (a.out / role / f"{book.replace(' ', '-').lower()}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
config = a.out / "paraphrases.yaml"
config.write_text(CONFIG % a.model.resolve())
subprocess.run([a.program, "build", config, "--yes", "--top", "0"], check=True)
rows = subprocess.run([a.program, "inspect", "paraphrase_matches", config, "--limit", "0", "--format", "jsonl"], check=True, capture_output=True, text=True).stdout
for row in sorted(map(json.loads, rows.splitlines()), key=lambda r: r["score"]):
    print(f"{row['score']:.2f} {row['derived_id']}: {row['derived_text']}\n     {row['source_id']}: {row['source_text']}")
