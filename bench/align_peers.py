#!/usr/bin/env python3
"""align_peers.py - the peers' side of the aligner's benchmark, and RapidFuzz as a second reader of its similarity.

  python3 align_peers.py similarity ROWS.jsonl [N]       compares `similarity` of N rows with RapidFuzz's ratio (within 1e-6)
  python3 align_peers.py pairs DATA N OUT.jsonl          draws N pairs of text from the folder: of one place, shifted, damaged, or of places that
                                                         have nothing to do with each other; alignbench --pairs gives each its `similarity`
  python3 align_peers.py drawn PAIRS.jsonl               compares that with RapidFuzz's ratio (within 1e-6)
  python3 align_peers.py lookup DATA N rapidfuzz|edlib   looks N quotes up in every source; prints {recall, ms}: recall@1, CPU ms a quote
  python3 align_peers.py documents DATA PEER OUT.jsonl   PEER (text-matcher or blastp) on all derived documents against all sources, with one
                                                         thread; writes OUT for the scorer; prints {peer, cpu, mb, peak_mb}, or {missing: why}

Needs what align_requirements.txt lists, and blastp and makeblastdb (Debian's ncbi-blast+) on the PATH for BLAST. DATA is a folder of the generator: sources/, derived/, quotes.jsonl, quotes_truth.jsonl.
"""
import json, re, resource, sys, unicodedata
from pathlib import Path


def cpu():
    r = resource.getrusage(resource.RUSAGE_SELF)
    return r.ru_utime + r.ru_stime


def fold(t):
    """Letters and digits without case and accents, as the aligner folds Latin text."""
    t = t.lower().replace("æ", "ae").replace("œ", "oe").replace("ß", "ss").replace("ſ", "s").replace("ø", "o")
    return "".join(c for c in unicodedata.normalize("NFKD", t) if c.isalnum() and not unicodedata.combining(c))


def similarity(path, n):
    from rapidfuzz.distance import LCSseq
    seen = skipped = 0
    worst, row = 0, None
    for line in open(path, encoding="utf-8"):
        r = json.loads(line)
        if "[" in r["derived_text"] or "]" in r["derived_text"]:
            skipped += 1      # an insertion may be left out
            continue
        d, s = (r[side + "_begin"] for side in ("derived", "source"))
        parts = r.get("parts") or [{k: r[k] for k in ("derived_begin", "derived_end", "source_begin", "source_end")}]
        common = letters = 0
        for p in parts:
            a = fold(r["derived_text"][p["derived_begin"] - d:p["derived_end"] - d])
            b = fold(r["source_text"][p["source_begin"] - s:p["source_end"] - s])
            common, letters = common + LCSseq.similarity(a, b), letters + len(a) + len(b)
        off = abs(r["similarity"] - (2 * common / letters if letters else 1))
        if off > worst:
            worst, row = off, r
        seen += 1
        if seen == n:
            break
    print(f"similarity: {seen} pairs, greatest difference from RapidFuzz {worst:.2e} ({skipped} with brackets left out)")
    if worst >= 1e-6:
        print("differs most:", row["alignment_id"], row["similarity"], repr(row["derived_text"]), repr(row["source_text"]))
    return worst < 1e-6


def letters(t):
    """fold, character by character: letters and decimal digits alone."""
    return "".join(fold(c) for c in t if unicodedata.category(c)[0] == "L" or unicodedata.category(c) == "Nd")


def pairs(data, n, out):
    import random
    r = random.Random(20)
    texts = [p.read_text(encoding="utf-8") for side in ("sources", "derived") for p in sorted((data / side).glob("*.txt"))]

    def window(text, most):
        size = r.choice([r.randrange(12), r.randrange(80), r.randrange(most)])
        at = r.randrange(max(1, len(text) - size))
        return at, size

    def damage(t, share):
        edits = [lambda c: "", lambda c: r.choice("abcdefghijklmnopqrstuvwxyzßæéﬁſ0"), lambda c: c + r.choice(" -,.\n’e"), str.upper]
        return "".join(r.choice(edits)(c) if r.random() < share else c for c in t)

    with open(out, "w", encoding="utf-8") as f:
        for i in range(n):
            text = r.choice(texts)
            at, size = window(text, 900)
            a, kind = text[at:at + size], i % 4
            if kind == 0:      # two places of any two texts
                other = r.choice(texts)
                at, size = window(other, 900)
                b = other[at:at + size]
            elif kind == 1:    # beside each other or overlapping
                shift = r.randrange(-size - 5, size + 6)
                b = text[max(0, at + shift):max(0, at + shift) + size]
            elif kind == 2:
                b = damage(a, r.random() * .6)
            else:              # one within the other, damaged, with words in another order
                words = damage(a, .1).split(" ")
                cut = r.randrange(len(words) + 1)
                b = " ".join(words[cut:] + words[:r.randrange(cut + 1)])
            f.write(json.dumps({"kind": ["unrelated", "shifted", "damaged", "reordered"][kind], "a": a, "b": b}) + "\n")


def drawn(path):
    from rapidfuzz import fuzz
    seen, alike, worst, row = {}, 0, 0, None
    for line in open(path, encoding="utf-8"):
        r = json.loads(line)
        a, b = letters(r["a"]), letters(r["b"])
        off = abs(r["similarity"] - (fuzz.ratio(a, b) / 100 if a or b else 1))
        seen[r["kind"]] = seen.get(r["kind"], 0) + 1
        alike += r["similarity"] >= .7
        if off > worst:
            worst, row = off, r
    print(f"drawn pairs: {sum(seen.values())} ({', '.join(f'{n} {k}' for k, n in seen.items())}; {alike} with similarity .7 or more), greatest difference from RapidFuzz {worst:.2e}")
    if worst >= 1e-6:
        print("differs most:", row["similarity"], repr(row["a"]), repr(row["b"]))
    return worst < 1e-6


def lookup(data, n, how):
    quotes = [json.loads(l) for l in open(data / "quotes.jsonl", encoding="utf-8")][:n]
    truth = {r["quote_id"]: r for r in map(json.loads, open(data / "quotes_truth.jsonl", encoding="utf-8"))}
    sources = {p.stem: re.sub(r"\W+", " ", p.read_text(encoding="utf-8").lower()) for p in sorted((data / "sources").glob("*.txt"))}
    t, right, asked = cpu(), 0, 0
    for q in quotes:
        text, best, at = re.sub(r"\W+", " ", q["text"].lower()).strip(), None, None
        if how == "rapidfuzz":
            from rapidfuzz import fuzz
            for s, b in sources.items():
                r = fuzz.partial_ratio_alignment(text, b, score_cutoff=max(80, best or 0))
                if r and r.score > (best or 0):
                    best, at = r.score, s
        else:
            import edlib
            k = max(1, len(text) // 4)
            for s, b in sources.items():
                r = edlib.align(text.encode("latin-1", "replace"), b.encode("latin-1", "replace"), mode="HW", task="distance", k=k)["editDistance"]
                if r >= 0 and (best is None or r < best):
                    best, at, k = r, s, max(1, r)
        want = truth[q["quote_id"]]["source_id"]
        asked += want is not None
        right += want is not None and at == want
    print(json.dumps({"recall": right / max(1, asked), "ms": 1000 * (cpu() - t) / n, "quotes": n}))


def stopwords():
    """text-matcher asks NLTK for its stop words, which is a download; without a network the same list comes from a package."""
    import nltk
    try:
        nltk.corpus.stopwords.words("english")
    except LookupError:
        from stop_words import get_stop_words
        nltk.corpus.stopwords = type("Stopwords", (), {"words": staticmethod(lambda language: get_stop_words("en"))})


def documents(data, peer, out):
    found = {"text-matcher": text_matcher, "blastp": blastp}[peer](data, out)
    found["mb"] = sum(p.stat().st_size for p in (data / "derived").glob("*.txt")) / 1e6
    print(json.dumps(found))


def texts(data, side):
    for p in sorted((data / side).glob("*.txt")):
        yield p.stem, p.read_bytes().decode()


def text_matcher(data, out):
    import contextlib, io
    from importlib.metadata import version
    stopwords()
    from text_matcher.matcher import Matcher, Text
    sources = {s: Text(t, s) for s, t in texts(data, "sources")}
    with open(out, "w", encoding="utf-8") as f:
        for name, t in texts(data, "derived"):
            derived = Text(t, name)
            for s, source in sources.items():
                with contextlib.redirect_stdout(io.StringIO()):
                    m = Matcher(source, derived)
                    m.match()
                for a, b in zip(m.locationsA, m.locationsB):
                    f.write(row(name, *b, s, *a))
    return {"peer": f"text-matcher {version('text-matcher')}, defaults", "cpu": cpu(), "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def row(derived, db, de, source, sb, se):
    return json.dumps({"derived_id": derived, "derived_begin": db, "derived_end": de, "source_id": source, "source_begin": sb, "source_end": se}) + "\n"


# BLAST compares proteins, whose alphabet has 23 codes that the identity matrix tells apart. J, X and Z share a code with I, K and S.
CODES = {**{c.lower(): c for c in "ARNDCQEGHILKMFPSTWYV"}, "o": "B", "u": "J", "b": "Z", "j": "I", "x": "K", "z": "S"}


def protein(t):
    """The letters of t as amino acids, and the offset of each."""
    letters, offsets = [], []
    for i, c in enumerate(t):
        for x in fold(c):
            if x in CODES:
                letters.append(CODES[x])
                offsets.append(i)
    return "".join(letters), offsets


def blastp(data, out):
    import shutil, subprocess, tempfile
    if not shutil.which("blastp"):
        return {"missing": "blastp is not on the PATH"}
    version = subprocess.run(["blastp", "-version"], capture_output=True, text=True, check=True).stdout.split()[1]
    with tempfile.TemporaryDirectory() as work:
        offsets = {}
        for side in ("sources", "derived"):
            with open(f"{work}/{side}.fa", "w") as f:
                for name, t in texts(data, side):
                    letters, offsets[side, name] = protein(t)
                    f.write(f">{name}\n{letters}\n")
        subprocess.run(["makeblastdb", "-dbtype", "prot", "-in", f"{work}/sources.fa", "-out", f"{work}/db"], stdout=subprocess.DEVNULL, check=True)
        subprocess.run(["blastp", "-query", f"{work}/derived.fa", "-db", f"{work}/db", "-out", f"{work}/rows", "-num_threads", "1",
                        "-matrix", "IDENTITY", "-gapopen", "15", "-gapextend", "2", "-word_size", "4", "-seg", "no", "-comp_based_stats", "0",
                        "-evalue", "1e-22", "-max_target_seqs", "1000", "-outfmt", "6 qseqid qstart qend sseqid sstart send"], check=True)
        with open(out, "w", encoding="utf-8") as f:
            for line in open(f"{work}/rows"):
                d, db, de, s, sb, se = line.split()
                of, at = offsets["derived", d], offsets["sources", s]
                f.write(row(d, of[int(db) - 1], of[int(de) - 1] + 1, s, at[int(sb) - 1], at[int(se) - 1] + 1))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"peer": f"blastp {version}, identity matrix, words of 4, e <= 1e-22", "cpu": used.ru_utime + used.ru_stime, "peak_mb": used.ru_maxrss / 1024}


if __name__ == "__main__":
    if sys.argv[1] == "similarity":
        sys.exit(not similarity(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 10000))
    elif sys.argv[1] == "pairs":
        pairs(Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    elif sys.argv[1] == "drawn":
        sys.exit(not drawn(sys.argv[2]))
    elif sys.argv[1] == "lookup":
        lookup(Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        documents(Path(sys.argv[2]), sys.argv[3], sys.argv[4])
