#!/usr/bin/env python3
"""anthology.py - passages of many volumes, one after another, with nothing between them (Python 3.11, standard library).

    python3 bench/anthology.py make --books '../shared/data/readers/books/*.txt.gz' --out FOLDER --seed 1
    bin/alignbench --data FOLDER --docs rows.jsonl          (go build -o bin/alignbench ./bench/alignbench)
    python3 bench/anthology.py score FOLDER rows.jsonl

FOLDER gets sources/, derived/ and truth.jsonl. Each anthology has passages of 8 to 300 words: whole sentences or cut at any
word, half of them letter for letter, the others damaged (letters, words, reflowed). They stand in paragraphs, in lines or in
one line. Of a fifth of the passages (--share) the source goes on with the word with which the next begins, so that neighbours share it.
A passage is found if half of it is covered by finds of its source that hold its place, or of the same words elsewhere. All offsets
are code points.
"""
import argparse, difflib, glob, gzip, json, math, random, re
from pathlib import Path

BREAKS = ["\n\n", "\n", " "]


def text_of(path):
    raw = gzip.open(path).read() if str(path).endswith(".gz") else Path(path).read_bytes()
    return raw.decode("utf-8", "replace").replace("\r\n", "\n")


def damaged(rng, text):
    kind = rng.choice(["exact"] * 5 + ["letters", "letters", "words", "flow", "flow"])
    if kind == "flow":
        text = re.sub(r"\s+", " ", text)
    elif kind == "letters":
        rate = rng.choice([0.01, 0.03, 0.05])
        text = "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") if 9 < i < len(text) - 10 and c.isalpha() and rng.random() < rate else c for i, c in enumerate(text))
    elif kind == "words":
        words = text.split(" ")
        for i in range(3, len(words) - 3):  # the ends stay, or nobody could say where they are
            if rng.random() < 0.06:
                words[i] = rng.choice(words)
        text = " ".join(words)
    return kind, text


def passage(rng, text, starts, words):
    n = int(math.exp(rng.uniform(math.log(8), math.log(300))))
    if rng.random() < 0.6:  # whole sentences
        begin = rng.choice(starts)
        k = next((i for i, m in enumerate(words) if m[0] >= begin), None)
        if k is None or k + n >= len(words):
            return None
        end = re.compile(r"[.!?][\"”’']*(?=\s)").search(text, words[k + n][1] - 1)
        return (words[k][0], end.end()) if end and end.end() - words[k][0] < 4000 else None
    k = rng.randrange(len(words) - n)
    return words[k][0], words[k + n - 1][1]


def make(a):
    rng = random.Random(a.seed)
    out = Path(a.out)
    for d in ("sources", "derived"):
        (out / d).mkdir(parents=True, exist_ok=True)
    paths = rng.sample(sorted(glob.glob(a.books)), a.volumes)
    volumes = {}
    for p in paths:
        name = Path(p).name.removesuffix(".gz").removesuffix(".txt")
        text = text_of(p)
        (out / "sources" / (name + ".txt")).write_bytes(text.encode())
        words = [m.span() for m in re.finditer(r"\S+", text)]
        volumes[name] = text, [m.end() for m in re.finditer(r"[.!?][\"”’']*\s+", text)][:-1], words
    names = sorted(volumes)
    truth = []
    for k in range(a.documents):
        between = BREAKS[k % len(BREAKS)]
        doc, id = "", f"a{k:02d}"
        while sum(t["derived_id"] == id for t in truth) < a.passages:
            name = rng.choice(names)
            text, starts, words = volumes[name]
            span = passage(rng, text, starts, words)
            if span is None:
                continue
            if doc and rng.random() < a.share:  # begin with the word, or the letter, with which the one before goes on
                was = truth[-1]
                more = volumes[was["source_id"]][0][was["source_end"]:][:40].split()
                if more and more[0][:1].isalpha():
                    same = re.compile(r"(?<=\s)" + re.escape(more[0]) + r"(?=\s)").search(text, span[0])
                    if same:
                        span = same.start(), same.start() + span[1] - span[0]
                        if span[1] >= len(text):
                            continue
                        span = span[0], next((m for _, m in words if m >= span[1]), len(text))
            kind, piece = damaged(rng, text[span[0]:span[1]])
            if doc:
                doc += between
            truth.append({"derived_id": id, "derived_begin": len(doc), "derived_end": len(doc) + len(piece), "source_id": name,
                          "source_begin": span[0], "source_end": span[1], "kind": kind, "between": between, "words": len(piece.split())})
            doc += piece
        (out / "derived" / (id + ".txt")).write_bytes(doc.encode())
    (out / "truth.jsonl").write_text("".join(json.dumps(t) + "\n" for t in truth))
    (out / "decoys.jsonl").write_text("")


def score(a):
    data = Path(a.data)
    load = lambda p: [json.loads(x) for x in open(p, encoding="utf-8") if x.strip()]
    truth, rows = load(data / "truth.jsonl"), load(a.rows)
    sources = {}

    def source(name):
        if name not in sources:
            sources[name] = (data / "sources" / (name + ".txt")).read_bytes().decode()
        return sources[name]
    plain = lambda s: re.sub(r"\W+", "", s.casefold())
    by = {}
    for r in rows:
        by.setdefault(r["derived_id"], []).append(r)
    groups, ends, lost, false = {}, [], [], 0
    used = set()
    for t in truth:
        hits = []
        for n, r in enumerate(by.get(t["derived_id"], [])):
            over = min(r["derived_end"], t["derived_end"]) - max(r["derived_begin"], t["derived_begin"])
            if over <= 0:
                continue
            here = r["source_id"] == t["source_id"] and min(r["source_end"], t["source_end"]) > max(r["source_begin"], t["source_begin"])
            if not here and over >= 20:  # the same words in another place
                words = plain(source(t["source_id"])[t["source_begin"]:t["source_end"]])
                other = plain(source(r["source_id"])[r["source_begin"]:r["source_end"]])
                same = sum(m.size for m in difflib.SequenceMatcher(None, words, other, False).get_matching_blocks())
                here = same >= 0.9 * min(len(words), len(other))
            if here:
                hits.append((over, r)); used.add((t["derived_id"], n))
        found = sum(o for o, _ in hits) >= 0.5 * (t["derived_end"] - t["derived_begin"])
        size = "8-14" if t["words"] < 15 else "15-49" if t["words"] < 50 else "50-"
        for g in ("all", "kind " + t["kind"], "words " + size, "between %r" % t["between"]):
            groups.setdefault(g, []).append(found)
        if not found:
            lost.append(t)
            continue
        hits = [r for o, r in hits if o > 3]
        b, e = min(r["derived_begin"] for r in hits), max(r["derived_end"] for r in hits)
        ends += [abs(b - t["derived_begin"]), abs(e - t["derived_end"])]
        t["ends"] = ends[-2:]
    false = len(rows) - len(used)
    for g in sorted(groups):
        print("%-18s %5d passages, %.4f found" % (g, len(groups[g]), sum(groups[g]) / len(groups[g])))
    print("ends within 3: %.4f; mean error %.3f; rows that are of no passage: %d of %d" % (sum(e <= 3 for e in ends) / len(ends), sum(ends) / len(ends), false, len(rows)))
    for t in lost[:a.show]:
        text = source(t["source_id"])
        print("lost", t["kind"], t["words"], repr(text[t["source_begin"]:t["source_end"]][:100]), "|", repr(text[t["source_end"]:][:20]))
    for t in [t for t in truth if max(t.get("ends", [0])) > 3][:a.show]:
        text = (data / "derived" / (t["derived_id"] + ".txt")).read_bytes().decode()
        print("ends", t["ends"], t["kind"], repr(text[t["derived_begin"] - 30:t["derived_begin"]]), "[", repr(text[t["derived_begin"]:][:30]), "...", repr(text[:t["derived_end"]][-30:]), "]", repr(text[t["derived_end"]:][:30]))


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = p.add_subparsers(required=True)
    m = sub.add_parser("make")
    m.add_argument("--books", required=True)
    m.add_argument("--out", required=True)
    m.add_argument("--seed", type=int, default=1)
    m.add_argument("--volumes", type=int, default=79)
    m.add_argument("--passages", type=int, default=434)
    m.add_argument("--documents", type=int, default=6)
    m.add_argument("--share", type=float, default=0.2, help="of the passages that begin on purpose as the last one's source goes on")
    m.set_defaults(do=make)
    s = sub.add_parser("score")
    s.add_argument("data")
    s.add_argument("rows")
    s.add_argument("--show", type=int, default=0)
    s.set_defaults(do=score)
    a = p.parse_args()
    a.do(a)
