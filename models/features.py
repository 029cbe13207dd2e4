"""The features of infer/features in Python, for training.

The Go package is the definition that users run; this file must give the same
numbers. Both are held to infer/features/testdata/golden.jsonl.

    python3 models/features.py --check     compare with the golden file
    python3 models/features.py --write     write the golden file anew
"""

import json
import math
import pathlib
import re
import sys
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "infer" / "features"
GOLDEN = FOLDER / "testdata" / "golden.jsonl"
VERSION = 1

HEAD = """words word_length longest_word long_words sentence_words capitals upper digits
stop unknown begins_stop begins_connect begins_capital quotation parenthesis colon semicolon
comma dash exclamation question period symbol""".split()
CLASSES = """connective dialogue quantifier indefinite definite demonstrative first second
third negation present past modal condition preposition comparative superlative abstract theme
participle ed number paratext roman""".split()
POSITION = "position position_first position_last".split()
NAMES = HEAD + CLASSES + POSITION

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


def extract(text, position):
    """The features of a text at a position of its document, as a list of floats."""
    count = dict.fromkeys(NAMES, 0.0)
    words = characters = longest = ends = 0
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
        count["word_length"] = characters / words
        count["longest_word"] = float(min(longest, 20))
        count["sentence_words"] = math.log1p(min(max(words / max(1, ends), 12), 40))
        count["begins_stop"] = float("stop" in first[0])
        count["begins_connect"] = float("connective" in first[0])
        count["begins_capital"] = float(first[1])
    count["position"] = position
    count["position_first"] = max(0.0, 1 - 20 * position)
    count["position_last"] = max(0.0, 20 * position - 19)
    return [count[name] for name in NAMES]


def golden_texts():
    """Texts of our own that touch every feature and every trap of the scan."""
    yield "", 0.0
    yield "   \n\t — … ", 1.0
    yield "Every man is the author of his own silence, and never its master.", 0.5
    yield "I think, therefore nothing is wholly lost; but who can say?", 0.01
    yield "And he said unto them, Whosoever loveth wisdom hath found the greater light: thou art the least.", 0.99
    yield "CHAPTER XII.  The Lamp-lighter’s Daughter . . . . . . . . 214\nCHAPTER XIII.  At Sea . . . . 231", 0.02
    yield "“Don't go,” she whispered--“don’t, I beg you!” ‘No,’ said the boy (quietly) [aside].", 0.3
    yield "NEVER AGAIN!!! What?! Wait... what… No.", 0.4
    yield "Ünder Österreichs Himmel; ÉCOLE NORMALE, naïve façade, Ελλάδα ΑΘΗΝΑ, Москва.", 0.6
    yield "cafe\u0301 re\u0301sume\u0301 n\u0303ame — e\u0301", 0.61
    yield "日本語の文章。静けさは答えである。 中文 1234 ½ ⅷ ² ٣٤", 0.7
    yield "emoji 😀 between words 👩‍👩‍👧 and 'quotes' and rock'n'roll's ' alone '", 0.8
    yield "Supercalifragilisticexpialidociousnessandmuchlongerthanthirtytwobytesness ended", 0.9
    yield "a_b_c *bold* #1 x=y|z 50% $5 <tag> {brace} ~tilde ^hat \\back a/b @home &c +1", 0.951
    yield "The oldest stories were told and written twice: The Better Part. A Short End", 0.049
    yield "- -- --- ---- -a- a--b a-b –x— …..!", 0.05
    yield "ambition ambitions kindness happiness nation mission friendship boredom realism absence distance payment solitude tude ness", 0.25
    yield "’tis ‘tis 'tis ’’ '' o’ o’clock O’Brien's MACDONALD’S Mc’D", 0.75
    yield "I'm I’ll I I I said: \"You're right.\" It's he's WE'RE", 0.1
    yield "\ufeffBom first. ʼmodifier ª º Ⅻ Ⅻth ǅ title ﬁne ſharp ẞ", 0.2
    long = "He that keepeth a lamp through all the night shall want no morning; yet no one keeps it but by need. "
    yield long * 3, 0.33
    yield long.replace(" ", "\n") * 2, 0.34


def main(arguments):
    if arguments == ["--write"]:
        lines = [json.dumps({"version": VERSION, "names": NAMES})]
        for text, position in golden_texts():
            lines.append(json.dumps({"text": text, "position": position, "features": extract(text, position)}))
        GOLDEN.write_text("\n".join(lines) + "\n", encoding="utf-8")
    elif arguments == ["--check"]:
        head, *rows = map(json.loads, GOLDEN.read_text(encoding="utf-8").splitlines())
        assert head == {"version": VERSION, "names": NAMES}, "names or version differ from the golden file"
        for row in rows:
            got = extract(row["text"], row["position"])
            for name, a, b in zip(NAMES, got, row["features"], strict=True):
                assert abs(a - b) < 1e-9, (row["text"], name, a, b)
        print(f"{len(rows)} texts, {len(NAMES)} features: equal to the golden file")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
