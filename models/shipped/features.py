"""The features of infer/features in Python.

The Go package is the definition that users run and that training reads
(models/vectors); this file says the same a second time, plainly, and both are
held to infer/features/testdata/golden.jsonl, which Go writes:

    go test ./infer/features -run Golden -update
    python3 models/shipped/features.py --check     compare with the golden file

Parts of speech are the tagger's affair, which is a Go library: its tags stand in
the golden file, and what is counted of them is computed here.
"""

import json
import math
import pathlib
import re
import sys
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "infer" / "features"
GOLDEN = FOLDER / "testdata" / "golden.jsonl"
VERSION = 2

HEAD = """words characters word_length shortest_word longest_word long_words sentence_words capitals
upper digits stop unknown begins_stop begins_connect begins_capital quotation parenthesis colon
semicolon comma dash exclamation question period symbol""".split()
CLASSES = """connective dialogue quantifier indefinite definite demonstrative first second
third negation present past modal condition preposition comparative superlative abstract theme
participle ed number paratext roman""".split()
PRESENT = """has_quotation has_parenthesis has_colon has_dash has_semicolon has_dialogue
has_quantifier has_abstract has_comparative has_superlative""".split()
SPOKEN = """noun verb adjective adverb pronoun proper tagged_past tagged_present tagged_future
has_tagged_participle has_tagged_comparative has_tagged_superlative""".split()
KINDS = "document act chapter scene paragraph".split()
WITHIN = ["index", "position", "first", "last"] + [f"decile_{d}" for d in range(10)]
UNIT = "number number_position number_first number_last".split()
POSITION = "position position_first position_last".split() + [
    f"{kind}_{name}" for kind in KINDS for name in WITHIN + (UNIT if kind != "document" else [])
]
NUMBERED = "act chapter scene section paragraph".split()
ENCLOSED = "scene paragraph".split()
TENTHS = [f"decile_{d}" for d in range(10)]
POSITION += [f"section_{name}" for name in WITHIN + UNIT] + [f"{kind}_number_{tenth}" for kind in NUMBERED for tenth in TENTHS] + [
    f"{kind}_within_{name}" for kind in ENCLOSED for name in UNIT + [f"number_{tenth}" for tenth in TENTHS]
]
NAMES = HEAD + CLASSES + PRESENT + SPOKEN + POSITION
LONGEST_GRAM = 3

MARKS = {
    "quotation": re.compile("[\"“‘«]"),
    "parenthesis": re.compile(r"[(\[]"),
    "colon": re.compile(":"),
    "semicolon": re.compile(";"),
    "comma": re.compile(","),
    "dash": re.compile("[–—]|--+"),
    "exclamation": re.compile("!"),
    "question": re.compile(r"\?"),
    "period": re.compile(r"\."),
    "symbol": re.compile(r"[_*#=|+/@&$%<>{}~^\\]"),
}
# A word is a run of letters and numbers with apostrophes between them; an end is
# a run of sentence ends; a colon only makes the next capital unremarkable.
SCAN = re.compile(r"(?P<word>[^\W_]+(?:['’][^\W_]+)*)|(?P<end>[.!?…]+)|(?P<colon>:)")
UPPER_ASCII = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ’", "abcdefghijklmnopqrstuvwxyz'")


def read_lexicon():
    lexicon, endings = {}, ()
    for line in (FOLDER / "lexicon.txt").read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, words = line.split(":")
        if name == "abstract-ending":
            endings += tuple(words.split())
            continue
        assert name == "stop" or name in CLASSES, name
        for word in words.split():
            lexicon.setdefault(word, set()).add(name)
    return lexicon, endings


LEXICON, ENDINGS = read_lexicon()
NONE = frozenset()


def category(character):
    if character.isascii():
        return "Lu" if "A" <= character <= "Z" else "Ll" if "a" <= character <= "z" else "Nd"
    return unicodedata.category(character)


def words_of(text):
    """The words of the n-grams; None where a word is too long for one."""
    for match in SCAN.finditer(text):
        if match["word"]:
            low = match["word"].translate(UPPER_ASCII)
            yield low if len(low.encode()) <= 32 else None


def terms(text, tags):
    """How often the text has each n-gram of words and each triple of parts of speech."""
    count = {}
    words = list(words_of(text))
    for n in range(1, LONGEST_GRAM + 1):
        for i in range(len(words) - n + 1):
            gram = words[i : i + n]
            if None not in gram:
                count[" ".join(gram)] = count.get(" ".join(gram), 0) + 1
    for sentence in tags:
        kinds = [part_of_speech(word, tag) for word, tag in sentence]
        for triple in zip(kinds, kinds[1:], kinds[2:]):
            if None not in triple:
                count[" ".join(triple)] = count.get(" ".join(triple), 0) + 1
    return count


COARSE = {
    "NOUN": "NN NNS NNP NNPS", "VERB": "VB VBD VBG VBN VBP VBZ MD", "ADJ": "JJ JJR JJS", "ADV": "RB RBR RBS WRB",
    "PRON": "PRP PRP$ WP WP$ EX", "DET": "DT PDT WDT", "ADP": "IN", "CCONJ": "CC", "NUM": "CD", "PART": "TO RP POS",
    "X": "FW UH LS SYM",
}
COARSE = {tag: name for name, tags in COARSE.items() for tag in tags.split()}


def part_of_speech(word, tag):
    """The coarse part of speech; None for marks, also where the tagger took one for a word."""
    kind = COARSE.get(tag)
    return kind if word[0] == "'" and len(word) > 1 or unicodedata.category(word[0])[0] in "LN" else None


def spoken(tags, words):
    """Counts of the tagger's tags: [[word, tag], ...] of each sentence."""
    flat = [(word, tag, part_of_speech(word, tag)) for sentence in tags for word, tag in sentence]
    flat = [(word.lower(), tag, kind) for word, tag, kind in flat if kind]
    rate = lambda keep: sum(1 for w, t, k in flat if keep(w, t, k)) / words
    count = {name: rate(lambda w, t, k: k == kind) for name, kind in zip(SPOKEN, "NOUN VERB ADJ ADV PRON".split())}
    count["proper"] = rate(lambda w, t, k: t in ("NNP", "NNPS"))
    count["tagged_past"] = rate(lambda w, t, k: t == "VBD")
    count["tagged_present"] = rate(lambda w, t, k: t in ("VBP", "VBZ"))
    count["tagged_future"] = rate(lambda w, t, k: t == "MD" and w in ("will", "shall", "wilt", "shalt", "'ll"))
    for name, of in (("participle", ("VBN",)), ("comparative", ("JJR", "RBR")), ("superlative", ("JJS", "RBS"))):
        count["has_tagged_" + name] = float(any(t in of for _, t, _ in flat))
    return count


def placed(position, places):
    count = {"position": position, "position_first": max(0.0, 1 - 20 * position), "position_last": max(0.0, 20 * position - 19)}
    for kind in KINDS + ["section"]:
        unit = next((u for u in places or () if u["kind"] == kind), None)
        if unit is None:
            continue
        if kind in NUMBERED:
            count[f"{kind}_number_decile_{10 * unit['index'] // max(1, unit['count'])}"] = 1.0
        if kind in ENCLOSED:
            index, many = unit["index_within"], unit["count_within"]
            count |= {
                f"{kind}_within_number": math.log1p(index), f"{kind}_within_number_position": index / max(1, many),
                f"{kind}_within_number_first": float(index == 0), f"{kind}_within_number_last": float(index == many - 1),
                f"{kind}_within_number_decile_{10 * index // max(1, many)}": 1.0,
            }
        mine = {
            "index": math.log1p(unit["passage_index"]), "position": unit["position"], "first": float(unit["first"]),
            "last": float(unit["last"]), f"decile_{unit['decile']}": 1.0, "number": math.log1p(unit["index"]),
            "number_position": unit["index"] / max(1, unit["count"]), "number_first": float(unit["index"] == 0),
            "number_last": float(unit["index"] == unit["count"] - 1),
        }
        count |= {f"{kind}_{name}": value for name, value in mine.items()}
    return count


def extract(passage, tags):
    """The features of a passage (a row of the table passages) as a list of floats."""
    text = passage["text"]
    count = dict.fromkeys(NAMES, 0.0)
    words = characters = longest = ends = 0
    shortest = math.inf
    first = None
    starts = True
    for match in SCAN.finditer(text):
        if match["end"]:
            ends += 1
            starts = True
            continue
        if match["colon"]:
            starts = True
            continue
        word = match["word"]
        low = word.translate(UPPER_ASCII)
        size = len(low.encode())
        classes, ed = NONE, False
        if size <= 32:
            classes = LEXICON.get(low, NONE)
            if size >= 6 and "abstract" not in classes and low.endswith(ENDINGS):
                classes = classes | {"abstract"}
            ed = size >= 4 and low.endswith("ed")
        kinds = [category(c) for c in word if c not in "'’"]
        capital = kinds[0] == "Lu"
        if first is None:
            first = (classes, capital)
        words += 1
        characters += len(word)
        longest = max(longest, len(word))
        shortest = min(shortest, len(word))
        count["long_words"] += len(word) >= 8
        count["digits"] += "Nd" in kinds
        count["upper"] += kinds.count("Lu") >= 2 and "Ll" not in kinds
        count["capitals"] += capital and not starts and "first" not in classes
        count["unknown"] += not classes
        count["ed"] += ed
        for name in classes:
            count[name] += 1
        starts = False
    for name, pattern in MARKS.items():
        count[name] = len(pattern.findall(text))
    if words == 0:
        count = dict.fromkeys(NAMES, 0.0)
    else:
        count = {name: n / words for name, n in count.items()}
        count["words"] = math.log1p(words)
        count["characters"] = math.log1p(len(text))
        count["word_length"] = characters / words
        count["shortest_word"] = float(min(shortest, 20))
        count["longest_word"] = float(min(longest, 20))
        count["sentence_words"] = math.log1p(min(max(words / max(1, ends), 12), 40))
        count["begins_stop"] = float("stop" in first[0])
        count["begins_connect"] = float("connective" in first[0])
        count["begins_capital"] = float(first[1])
        count |= {name: float(count[name.removeprefix("has_")] > 0) for name in PRESENT}
        count |= spoken(tags, words)
    count |= placed(passage["position"], passage.get("places"))
    return [count[name] for name in NAMES]


def main(arguments):
    if arguments != ["--check"]:
        sys.exit(__doc__)
    head, *rows = map(json.loads, GOLDEN.read_text(encoding="utf-8").splitlines())
    assert (head["version"], head["names"]) == (VERSION, NAMES), "names or version differ from the golden file"
    for row in rows:
        text = row["passage"]["text"]
        got = extract(row["passage"], row["tags"])
        for name, a, b in zip(NAMES, got, row["features"], strict=True):
            assert abs(a - b) < 1e-6 * max(1, abs(b)), (text, name, a, b)
        assert terms(text, row["tags"]) == row["terms"], text
    print(f"{len(rows)} texts, {len(NAMES)} features and their n-grams: equal to the golden file")


if __name__ == "__main__":
    main(sys.argv[1:])
