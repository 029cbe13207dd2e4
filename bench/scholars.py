#!/usr/bin/env python3
"""scholars.py - short and attributed quotations, absent authors, and damage that people do (Python 3.11, standard library).

    python3 bench/scholars.py make --readers ../shared/data/readers --carriers FOLDER --half fit|held --out FOLDER
    bin/alignbench --data FOLDER/NAME --quotes rows.jsonl   (or --docs rows.jsonl; go build -o bin/alignbench ./bench/alignbench)
    python3 bench/scholars.py score FOLDER/NAME rows.jsonl
    python3 ../shared/bench/score.py --data FOLDER/damage --align rows.jsonl

FOLDER gets the sets scholars (a list of quotations as scholars quote, without attribution), attributed (the same with one), absent (favourite
lines of authors who are not among the sources), fragments (short spans of such authors) and damage (documents and a list). The authors of the two halves
differ: parameters are fitted on one, and the other is measured. CARRIERS is a folder of *.txt of prose around the quotations of documents.
Each set has sources/, about.jsonl (author and title of each source), quotes.jsonl and quotes_truth.jsonl; damage has truth.jsonl, derived/
and decoys.jsonl, too. All offsets are code points.
"""
import argparse, gzip, hashlib, json, math, random, re, os
from pathlib import Path

STOP = set("""a about after again against all am an and any are as at be been before being but by can could did do does down each for from had has have he
her here him his how i if in into is it its just me more most my no nor not now of off on once only or other our out over own said same she should so some such
than that the their them then there these they this those thou thee thy through to too under until up upon us very was we were what when where which while who whom
why will with would you your one yet may might must shall came come go went get got make made man like see well""".split())
WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


def flow(t): return re.sub(r"\s+", " ", t).strip()
def load(p): return [json.loads(x) for x in open(p, encoding="utf-8") if x.strip()]


def save(p, rows):
    with open(p, "w", encoding="utf-8", newline="\n") as f:
        for r in rows: f.write(json.dumps(r, ensure_ascii=False) + "\n")


def half_of(author): return "fit" if hashlib.sha256(author.encode()).digest()[0] % 2 else "held"


def surname(author):
    author = re.sub(r"\(.*?\)", "", author).strip()
    return author.split(",")[0].strip() if "," in author else author.split()[-1]


class Books:
    def __init__(self, readers, half, budget):
        about = load(Path(readers) / "books.jsonl")
        for b in about: b["by"] = surname(b["author"])
        authors = sorted({b["by"] for b in about if half_of(b["by"]) == half})
        rng = random.Random("authors/" + half)
        rng.shuffle(authors)
        present, size, self.about = authors[:len(authors) * 3 // 5], 0, []
        mine = [b for b in about if b["by"] in present]
        rng.shuffle(mine)
        for b in mine:
            if size + b["characters"] < budget:
                self.about.append(b); size += b["characters"]
        self.here = {b["by"] for b in self.about}
        self.absent = [b for b in about if half_of(b["by"]) == half and b["by"] not in self.here]
        read = lambda b: gzip.open(Path(readers) / "books" / (b["book"] + ".txt.gz")).read().decode()
        self.text = {b["book"]: read(b) for b in sorted(self.about, key=lambda b: b["book"])}
        self.absent = rng.sample(self.absent, min(8, len(self.absent)))  # enough, and a collection of all would take minutes to read
        self.other = {b["book"]: read(b) for b in self.absent}
        self.words = {k: [m.span() for m in re.finditer(r"\S+", t)] for k, t in self.text.items()}
        self.ids = list(self.text)
        self.weight = [len(self.text[k]) ** .5 for k in self.ids]
        self.meta = {b["book"]: b for b in self.about}
        vocab = sorted({t for k in self.ids for t in re.findall(r"\b[a-z]{3,9}\b", self.text[k][:200000])})
        self.vocab = vocab[::3]
        self.lines = gzip.open(Path(readers) / "labels.jsonl.gz", "rt").read().splitlines()

    def span(self, rng, n, texts=None, whole=False):
        """n words of a source as people choose them: some content words, no heading; begin and end (characters)."""
        while True:
            if texts is None:
                k = rng.choices(self.ids, self.weight)[0]; t, w = self.text[k], self.words[k]
            else:
                k = rng.choice(sorted(texts)); t = texts[k]
                if k not in self.words: self.words[k] = [m.span() for m in re.finditer(r"\S+", t)]
                w = self.words[k]
            i = rng.randrange(len(w))
            if i + n >= len(w): continue
            if whole:
                while i and not re.search(r"[.!?][\"”’']*$", t[w[i - 1][0]:w[i - 1][1]]): i -= 1
                if i + n >= len(w): continue
            elif rng.random() < .5 and i and not re.search(r"[.,;:!?—-]$", t[w[i - 1][0]:w[i - 1][1]]): continue
            s = t[w[i][0]:w[i + n - 1][1]]
            words = WORD.findall(s.lower())
            content = [x for x in words if x not in STOP and len(x) > 3]
            if len(words) < n or len(content) < max(1, (n + 1) // 3) or s.isupper() or "\n\n" in s and not whole: continue
            b, e = w[i][0], w[i + n - 1][1]
            while not t[b].isalnum(): b += 1
            while not t[e - 1].isalnum(): e -= 1
            return k, b, e, w[i:i + n]


def style(rng, t):
    """Exact words as they are quoted: other marks, other case of the first letter, a word in brackets."""
    t = flow(t).replace("_", "").replace("--", rng.choice(["—", " – ", "--"]))
    if rng.random() < .5: t = re.sub(r"(?<=\w)['’](?=\w)", rng.choice(["'", "’"]), t)
    if rng.random() < .25: t = re.sub(r"[,;]", lambda m: rng.choice([m.group(), "", ","]), t)
    r = rng.random()
    if r < .2: t = t[0].swapcase() + t[1:]
    elif r < .3: t = "[" + t[0].swapcase() + "]" + t[1:]
    if rng.random() < .3: t += rng.choice([".", ",", "!", "..."])
    return t


def ellipsis(rng, t, w, far):
    """(begin, end) spans of the two parts, the middle omitted."""
    n = len(w)
    a = rng.randint(3, n - 4)
    return a


def people_name(rng, author):
    """An author's name as people write it."""
    author = re.sub(r"\(.*?\)", "", author).strip()
    if "," in author:
        last, first = [x.strip() for x in author.split(",")[:2]]
    else:
        first, _, last = author.rpartition(" ")
    initials = " ".join(x[0] + "." for x in first.split() if x)
    return rng.choice([f"{first} {last}", f"{last}, {first}", f"{initials} {last}", last, last.upper(), f"— {first} {last}", f"by {first} {last}"]).strip(" ,")


def people_work(rng, title):
    short = re.split(r"[:;,]| or | — ", title)[0].strip()
    return rng.choice([title, short, short + ", ch. %d" % rng.randint(2, 40), short + ", p. %d" % rng.randint(10, 400), "*" + short + "*", short + " (18%d)" % rng.randint(10, 99),
                       short.upper(), '"' + short + '", vol. ii'])


def scholars(rng, books, n):
    quotes, truth = [], []
    for i in range(n):
        r = rng.random()
        kind = "w04-05" if r < .18 else "w06-09" if r < .42 else "w10-24" if r < .7 else "w25-" if r < .85 else "ellipsis" if r < .95 else "bracket"
        size = {"w04-05": lambda: rng.randint(4, 5), "w06-09": lambda: rng.randint(6, 9), "w10-24": lambda: rng.randint(10, 24), "w25-": lambda: rng.randint(25, 70)}.get(kind, lambda: rng.randint(10, 40))()
        k, b, e, w = books.span(rng, size)
        t = books.text[k]
        if kind == "ellipsis":
            a = rng.randint(4, len(w) - 5); drop = rng.randint(1, min(a, len(w) - a - 4) + 1)
            text = flow(t[b:w[a - 1][1]]) + rng.choice([" ... ", " … ", " . . . ", " [...] "]) + flow(t[w[min(a + drop, len(w) - 4)][0]:e])
        elif kind == "bracket":
            a = rng.randint(2, len(w) - 3)
            said = rng.choice(["[the man]", "[sic]", "[Emma]", "[and his friend]"])
            drop = rng.randint(0, 1)
            text = flow(t[b:w[a - 1][1]]) + " " + said + " " + flow(t[w[a + drop][0]:e])
        else:
            text = style(rng, t[b:e])
        quotes.append({"quote_id": "s%05d" % i, "text": text})
        truth.append({"quote_id": "s%05d" % i, "source_id": k, "source_begin": b, "source_end": e, "kind": kind, "noise": "", "words": size})
    return quotes, truth


def attribute(rng, books, quotes, truth):
    out = []
    for q, t in zip(quotes, truth):
        about, r, row = books.meta[t["source_id"]], rng.random(), dict(q)
        if r < .03:  # another's
            about = rng.choice(books.about)
        elif r < .05:
            about = rng.choice(books.absent)
        how = rng.random()
        if how < .4: row["author"] = people_name(rng, about["author"])
        elif how < .7: row["work"] = people_work(rng, about["title"])
        else: row["author"], row["work"] = people_name(rng, about["author"]), people_work(rng, about["title"])
        out.append(row)
    return out


def absent(rng, books, readers, here):
    """Favourite lines of authors of no source: readers' spans and printed lists."""
    by, rows = {b["book"]: b for b in books.absent}, []
    for line in books.lines:
        l = json.loads(line)
        if l["book"] in by and l["readers"]:
            rows.append({"text": flow(books.other[l["book"]][l["begin"]:l["end"]]), "author": by[l["book"]]["author"]})
    for p in sorted((Path(readers) / "quotes").glob("*.jsonl.gz")):
        if not p.name.startswith(("bartlett", "wood", "pearls", "quips")): continue
        for x in gzip.open(p, "rt"):
            q = json.loads(x)
            a = q.get("author") or ""
            if len(a) > 3 and half_of(surname(a)) == books.half and not any(s.lower() in (a + " " + (q.get("work") or "")).lower() for s in here | {"bible"}) and q["text"]:
                rows.append({"text": flow(q["text"]), "author": a})
    rng.shuffle(rows)
    rows = rows[:4000]
    for i, r in enumerate(rows): r["quote_id"] = "a%05d" % i
    return rows


def fragments(rng, books, n):
    rows = []
    for i in range(n):
        k, b, e, w = books.span(rng, rng.randint(4, 9), books.other)
        rows.append({"quote_id": "f%05d" % i, "text": style(rng, books.other[k][b:e]), "author": ""})
    return rows


# ---- damage ----------------------------------------------------------------------------------------------------------
SAID = ["said he", "she said", "he cried", "replied the old man", "said Mr. Brown", "answered she, with a sigh", "he added", "I said", "as the author says", "she continued", "cried the captain"]


def sentences(t): return [m.span() for m in re.finditer(r"\S[^.!?]*[.!?]+[\"”’']*(?=\s|$)|\S[^.!?]*$", t)]


def inflect(rng, word):
    if len(word) < 4 or not word.isalpha(): return word
    for a, b in (("ies", "y"), ("ing", "ed"), ("ed", "ing"), ("ly", ""), ("es", "e"), ("s", ""), ("e", "ed"), ("y", "ies")):
        if word.endswith(a) and len(word) - len(a) > 2: return word[:-len(a)] + b
    return word + rng.choice(["s", "ed", "ing", "ly"])


def columns(words, width, gap):
    lines, line = [], ""
    for w in words:
        if line and len(line) + 1 + len(w) > width: lines.append(line); line = w
        else: line = (line + " " + w).strip()
    return lines + [line]


DAMAGE = ["columns", "beside", "reordered", "paragraph", "paragraphs", "said", "inflected", "skeleton"]


def damaged(rng, books, kind):
    """(text, source, begin, end, parts)"""
    while True:
        n = {"columns": rng.randint(40, 120), "beside": rng.randint(30, 90), "reordered": rng.randint(40, 110), "paragraph": rng.randint(14, 40), "paragraphs": rng.randint(14, 40),
             "said": rng.randint(8, 40), "inflected": rng.randint(12, 60), "skeleton": rng.randint(12, 40)}[kind]
        k, b, e, w = books.span(rng, n, whole=kind in ("reordered", "columns", "beside"))
        t, parts = books.text[k], None
        words = flow(t[b:e]).split(" ")
        if kind == "columns":  # the quotation is printed in two columns and read across
            width = rng.randint(24, 38)
            lines = columns(words, width, 4)
            half = (len(lines) + 1) // 2
            text = "\n".join(l.ljust(width + 4) + r for l, r in zip(lines[:half], lines[half:] + [""])).rstrip()
        elif kind == "beside":  # it stands in one of two columns
            width = rng.randint(24, 38)
            lines = columns(words, width, 4)
            k2 = rng.choice(sorted(books.other)); i = rng.randrange(len(books.other[k2]) // 2)
            others = columns(flow(books.other[k2][i:i + 20 * n]).split(" "), width, 4)
            text = "\n".join((l.ljust(width + 4) + o) for l, o in zip(lines, others))
            text = text.rstrip()
        elif kind == "reordered":
            s = sentences(flow(t[b:e]))
            if len(s) < 2 or len(s) > 6: continue
            pieces = [flow(t[b:e])[x:y] for x, y in s]
            if min(len(p.split()) for p in pieces) < 5: continue
            was = list(pieces)
            while pieces == was: rng.shuffle(pieces)
            text = " ".join(pieces)
        elif kind in ("paragraph", "paragraphs"):
            breaks = [m.start() for m in re.finditer(r"\n\n", t[b:b + 6000])]
            want = rng.choice([600, 1500]) if kind == "paragraph" else rng.choice([2500, 4500])
            at = w[len(w) // 2][0]
            far = next((b + x for x in breaks if b + x > at + want), None)
            if far is None: continue
            m = [x.span() for x in re.finditer(r"\S+", t[far:far + 1500])][:n - len(w) // 2]
            if len(m) < 5: continue
            left, right = flow(t[b:w[len(w) // 2 - 1][1]]), flow(t[far + m[0][0]:far + m[-1][1]])
            text = left + rng.choice([" ... ", " … ", " . . . ", " [...] ", "\n...\n"]) + right
            e = far + m[-1][1]
        elif kind == "said":
            a = rng.randint(2, len(words) - 3)
            said = rng.choice(SAID)
            text = " ".join(words[:a]).rstrip(",;") + ", " + said + ", " + " ".join(words[a:])
        elif kind == "inflected":
            rate = rng.uniform(.08, .2)
            text = " ".join(inflect(rng, x) if 0 < i < len(words) - 1 and rng.random() < rate else x for i, x in enumerate(words))
        elif kind == "skeleton":
            at = rng.randrange(4)
            text = " ".join(rng.choice(books.vocab) if i % 4 == at else x for i, x in enumerate(words))
        if text == text.strip() and text: return text, k, b, e, parts


STATES = "Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Idaho Illinois Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada New_Hampshire New_Jersey New_Mexico New_York North_Carolina North_Dakota Ohio Oklahoma Oregon Pennsylvania Rhode_Island South_Carolina South_Dakota Tennessee Texas Utah Vermont Virginia Washington West_Virginia Wisconsin Wyoming".replace("_", "\u00a0").split(" ")


def table(rng):
    i, n = rng.randrange(len(STATES) - 12), rng.randint(4, 9)
    row = [s.replace("\u00a0", " ") for s in STATES[i:i + n]]
    return rng.choice(["  ".join(row), ", ".join(row), "\n".join("%-20s %6d" % (s, rng.randint(1, 99999)) for s in row)])


def carrier(folder):
    out = []
    for p in sorted(Path(folder).glob("*.txt")):
        out += [x.strip() for x in re.split(r"\n\s*\n", p.read_text(encoding="utf-8")) if 40 < len(x) < 2000]
    return out


def documents(rng, books, paragraphs, n, out):
    truth, decoys = [], []
    (out / "derived").mkdir(exist_ok=True)
    for i in range(n):
        id, doc = "d%04d" % i, ""
        at = rng.randrange(len(paragraphs))
        for _ in range(rng.randint(6, 10)):
            for _ in range(rng.randint(2, 6)):
                doc += paragraphs[at % len(paragraphs)] + "\n\n"; at += 1
            if rng.random() < .12:
                text = table(rng)
                decoys.append({"derived_id": id, "derived_begin": len(doc), "derived_end": len(doc) + len(text), "kind": "table"})
                doc += text + "\n\n"; continue
            kind = rng.choice(DAMAGE)
            text, k, b, e, _ = damaged(rng, books, kind)
            open, close = rng.choice([("", ""), ("“", "”"), ('"', '"'), ("", "")])
            if kind in ("columns", "beside"): open = close = ""
            doc += rng.choice(["As the author has it: ", "", ""]) + open
            row = {"derived_id": id, "derived_begin": len(doc), "derived_end": len(doc) + len(text), "kind": kind}
            if kind == "skeleton": decoys.append(row)
            else: truth.append(row | {"source_id": k, "source_begin": b, "source_end": e, "noise": kind, "words": len(text.split())})
            doc += text + close + "\n\n"
        (out / "derived" / (id + ".txt")).write_bytes(doc.encode())
    save(out / "truth.jsonl", truth); save(out / "decoys.jsonl", decoys)


def make(a):
    rng = random.Random("%s/%d" % (a.half, a.seed))
    books = Books(a.readers, a.half, a.budget)
    books.half = a.half
    out = Path(a.out)
    (out / "sources").mkdir(parents=True, exist_ok=True)
    for k, t in books.text.items(): (out / "sources" / (k + ".txt")).write_bytes(t.encode())

    def folder(name, quotes, truth):
        d = out / name
        d.mkdir(exist_ok=True)
        if not (d / "sources").exists(): os.symlink("../sources", d / "sources")
        save(d / "quotes.jsonl", quotes); save(d / "quotes_truth.jsonl", truth)
        save(d / "about.jsonl", [{"id": b["book"], "author": b["author"], "title": b["title"]} for b in books.about])
        return d
    quotes, truth = scholars(rng, books, a.quotes)
    folder("scholars", quotes, truth)
    folder("attributed", attribute(rng, books, quotes, truth), truth)
    none = lambda rows: [{"quote_id": r["quote_id"], "source_id": None, "source_begin": None, "source_end": None, "kind": "none", "noise": "", "words": len(r["text"].split())} for r in rows]
    rows = absent(rng, books, a.readers, books.here)
    folder("absent", rows, none(rows))
    rows = fragments(rng, books, 2000)
    folder("fragments", rows, none(rows))
    quotes, truth = [], []
    for i in range(a.quotes):
        kind, id = DAMAGE[i % len(DAMAGE)], "x%05d" % i
        text, k, b, e, _ = damaged(rng, books, kind)
        quotes.append({"quote_id": id, "text": text})
        if kind == "skeleton": k = b = e = None
        truth.append({"quote_id": id, "source_id": k, "source_begin": b, "source_end": e, "kind": kind, "noise": "", "words": len(text.split())})
    d = folder("damage", quotes, truth)
    documents(rng, books, carrier(a.carriers), 60, d)
    print("%d sources, %.1f MB; %d absent authors' books" % (len(books.text), sum(map(len, books.text.values())) / 1e6, len(books.absent)))


plain = lambda s: re.sub(r"[^a-z]+", " ", re.sub(r"[’']", "", s.lower())).split()


def score(a):
    data = Path(a.data)
    truth, quotes = load(data / "quotes_truth.jsonl"), {q["quote_id"]: q for q in load(data / "quotes.jsonl")}
    rows, sources = {}, {}
    for r in load(a.rows): rows.setdefault(r["quote_id"], []).append(r)
    if a.max_false: rows = select(rows, a.max_false)
    import difflib
    groups, wrong, bins = {}, [], {}
    whole = found = returned = good = 0
    for t in truth:
        got = sorted(rows.get(t["quote_id"], []), key=lambda r: -r["score"])
        returned += bool(got)
        ok = False
        if got:
            top = got[0]
            if t["source_id"] is None:
                # a true echo: nearly the whole entry stands there
                q, s = plain(quotes[t["quote_id"]]["text"]), plain(top["source_text"])
                same = sum(m.size for m in difflib.SequenceMatcher(None, q, s, False).get_matching_blocks())
                ok = same >= .85 * len(q) and same >= 3
                whole += ok
            else:
                over = min(top["source_end"], t["source_end"]) - max(top["source_begin"], t["source_begin"])
                ok = top["source_id"] == t["source_id"] and over >= .5 * (max(top["source_end"], t["source_end"]) - min(top["source_begin"], t["source_begin"]))
                if not ok:
                    if t["source_id"] not in sources: sources[t["source_id"]] = (data / "sources" / (t["source_id"] + ".txt")).read_bytes().decode()
                    x, y = plain(top["source_text"]), plain(sources[t["source_id"]][t["source_begin"]:t["source_end"]])
                    same = sum(m.size for m in difflib.SequenceMatcher(None, x, y, False).get_matching_blocks())
                    ok = 2 * same >= .9 * (len(x) + len(y))
            good += ok
            p = top.get("confidence", 0)
            key = next((x for x in (.5, .8, .9, .95, .98, .99, .995) if p < x), 1)
            bins.setdefault(key, []).append((ok, p))
            if not ok: wrong.append((t, top))
        groups.setdefault(t["kind"], []).append((bool(got), ok))
    for g in sorted(groups):
        print("%-12s %5d entries, found %.4f, right %.4f" % (g, len(groups[g]), sum(x for x, _ in groups[g]) / len(groups[g]), sum(y for _, y in groups[g]) / len(groups[g])))
    n = len([t for t in truth if t["source_id"]])
    if n: print("recall@1 %.4f precision %.4f (%d entries)" % (good / n, good / max(1, returned), n))
    else: print("found %.2f per 1,000 entries (%d), %d of %d as wholes" % (1000 * returned / len(truth), len(truth), whole, returned))
    for b in sorted(bins): print("confidence below %.3f: %5d finds, mean %.4f, right %.4f" % (b, len(bins[b]), sum(p for _, p in bins[b]) / len(bins[b]), sum(o for o, _ in bins[b]) / len(bins[b])))
    for t, r in wrong[:a.show]:
        print("wrong", t["kind"], "%.1f" % r["score"], "%.3f" % r.get("confidence", 0), repr(quotes[t["quote_id"]]["text"][:150]), "=>", repr(r["source_text"][:100]))
    if a.lost:
        lost = [t for t in truth if t["source_id"] and t["quote_id"] not in rows]
        for t in lost[:a.lost]: print("lost", t["kind"], repr(quotes[t["quote_id"]]["text"][:160]))


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = p.add_subparsers(required=True)
    m = sub.add_parser("make")
    m.add_argument("--readers", required=True); m.add_argument("--carriers", required=True); m.add_argument("--half", choices=["fit", "held"], required=True)
    m.add_argument("--out", required=True); m.add_argument("--seed", type=int, default=1); m.add_argument("--quotes", type=int, default=1000)
    m.add_argument("--budget", type=int, default=8_000_000)
    m.set_defaults(do=make)
    s = sub.add_parser("score")
    s.add_argument("data"); s.add_argument("rows"); s.add_argument("--show", type=int, default=0); s.add_argument("--lost", type=int, default=0); s.add_argument("--max-false", type=float, default=0)
    s.set_defaults(do=score)
    a = p.parse_args()
    a.do(a)
