"""Plants Latin sentences in other cases and persons, and counts what align finds of them.

    python3 bench/inflected.py --program ./commonplace --texts FOLDER [--seed 24]

FOLDER has Latin texts (.txt), a sentence or verse on a line. The first half of the files, by name, are sources.
300 of their lines are planted in the others. In each, words that have another form in the
texts take that form: same paradigm, by the endings below, which are of school grammars and not the
aligner's. A planted line is found if a row overlaps half of it, on both sides. A row is false if it
overlaps a planted line and another place of the sources, which the line as it was does not match; rows
outside planted lines are what the texts quote of each other, and are not judged.
"""

import argparse, collections, json, pathlib, random, re, subprocess, tempfile

PARADIGMS = [p.split() for p in (
    "a ae am as arum is", "us i o um orum os is", "er ri ro rum rorum ros ris", "um i o a orum is",
    "is i em e es um ibus", "us ui um u uum ibus", "es ei em e erum ebus",
    "o as at amus atis ant are abat abant avit averunt abit abunt", "eo es et emus etis ent ere ebat ebant ebit ebunt",
    "o is it imus itis unt ere ebat ebant et ent", "io is it imus itis iunt ire iebat iebant iet ient")]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--program", required=True)
    p.add_argument("--texts", required=True, type=pathlib.Path)
    p.add_argument("--seed", type=int, default=24)
    p.add_argument("--words", type=int, nargs=2, default=(5, 9), help="length of the lines")
    p.add_argument("--share", type=float, default=1, help="of the words that have another form, how many take it")
    p.add_argument("--keep", type=pathlib.Path, help="folder for the texts and rows, to read them")
    a = p.parse_args()
    random.seed(a.seed)
    texts = {f.stem: f.read_text() for f in sorted(a.texts.glob("*.txt"))}
    names = list(texts)
    sources, carriers = names[: len(names) // 2], names[len(names) // 2 :]
    words = collections.Counter(w.lower() for t in texts.values() for w in re.findall(r"[A-Za-z]+", t))

    def other(word):
        forms = set()
        for paradigm in PARADIGMS:
            for end in paradigm:
                stem = word[: len(word) - len(end)]
                if word.endswith(end) and len(stem) > 2:
                    forms |= {stem + e for e in paradigm if e != end and words[stem + e.lower()] > 0}
        return random.choice(sorted(forms)) if forms else None

    lines = []
    for s in sources:
        at = 0
        for line in texts[s].split("\n"):
            if a.words[0] <= len(line.split()) <= a.words[1]:
                lines.append((s, at, at + len(line), line))
            at += len(line) + 1
    planted = []
    for s, begin, end, line in random.sample(lines, 300):
        out = re.sub(r"[A-Za-z]{4,}", lambda m: (random.random() < a.share and other(m[0])) or m[0], line)
        planted.append((s, begin, end, out, line))
    derived, where = {n: texts[n].split("\n") for n in carriers}, []
    for k, plant in enumerate(planted):
        derived[carriers[k % len(carriers)]].append(plant)
    folder = a.keep or pathlib.Path(tempfile.mkdtemp())
    for d in ("sources", "verbatim", "derived"):
        (folder / d).mkdir(parents=True, exist_ok=True)
    for s in sources:
        (folder / "sources" / f"{s}.txt").write_text(texts[s])
    for n, all in derived.items():
        random.shuffle(all)
        at, out = 0, []
        for x in all:
            line = x if isinstance(x, str) else x[3]
            if not isinstance(x, str):
                where.append((n, at, at + len(line), x))
                (folder / "verbatim" / f"{n} {at}.txt").write_text(x[4])
            out.append(line)
            at += len(line) + 1
        (folder / "derived" / f"{n}.txt").write_text("\n".join(out))

    def rows(texts, *more):
        out = subprocess.run([a.program, "align", "--sources", folder / "sources", "--derived", folder / texts, *more], check=True, capture_output=True, text=True)
        return [json.loads(line) for line in out.stdout.splitlines()]

    def shared(b, e, c, d):
        return min(e, d) - max(b, c)

    copies = collections.defaultdict(set)  # of a planted line as it was: its places in the sources
    for r in rows("verbatim"):
        for at in [r, *r.get("others", [])]:
            copies[r["derived_id"]].add((at["source_id"], at["source_begin"] // 300))
    for name, more in (("exact", []), ("inflected", ["--inflected", "la"])):
        found, false, hit = rows("derived", *more), [], set()
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in found))
        for r in found:
            for k, (n, b, e, (s, sb, se, *_)) in enumerate(where):
                if r["derived_id"] != n or shared(r["derived_begin"], r["derived_end"], b, e) <= 0:
                    continue
                places = [r, *r.get("others", [])]
                if 2 * shared(r["derived_begin"], r["derived_end"], b, e) >= e - b and any(
                    x["source_id"] == s and 2 * shared(x["source_begin"], x["source_end"], sb, se) >= se - sb for x in places):
                    hit.add(k)
                elif not any(x["source_id"] == s and shared(x["source_begin"], x["source_end"], sb, se) > 0 for x in places) and not copies[f"{n} {b}"] & {
                    (x["source_id"], x["source_begin"] // 300 + d) for x in places for d in (-1, 0, 1)}:
                    false.append((r, where[k]))
        (folder / f"{name}-false.jsonl").write_text("".join(json.dumps(f) + "\n" for f in false))
        precision, recall = len(hit) / max(1, len(hit) + len(false)), len(hit) / len(where)
        print(f"{name}: found {len(hit)} of {len(where)}, false {len(false)}, precision {precision:.3f}, recall {recall:.3f}, F1 {2 * precision * recall / (precision + recall):.3f}")


main()
