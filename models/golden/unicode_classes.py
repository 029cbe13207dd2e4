"""Writes infer/tokenizer/classes.txt: what the reference tokenizers hold each character to be.

    python3 models/golden/unicode_classes.py > infer/tokenizer/classes.txt

The reference (Hugging Face tokenizers) mixes tables of several Unicode versions,
so no one version's tables are right. This asks the reference itself, one
character at a time, and writes the answers as ranges of code points.
"""

import sys

import tokenizers
from tokenizers import Regex
from tokenizers import normalizers as N
from tokenizers import pre_tokenizers as P

ALL = [chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]


def bert(**on):
    options = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return N.BertNormalizer(**{**options, **on}).normalize_str


def pieces(pre):
    return lambda c: [piece for piece, _ in pre.pre_tokenize_str("a" + c + "a")]


def matches(expression):
    pre = P.Split(Regex(expression), "removed")
    return lambda c: pre.pre_tokenize_str(c) == []


clean, chinese, accents = bert(clean_text=True), bert(handle_chinese_chars=True), bert(strip_accents=True)
words, digits, punctuation, spaces = pieces(P.Whitespace()), pieces(P.Digits(True)), pieces(P.Punctuation("isolated")), pieces(P.WhitespaceSplit())
marks, lower, nfd, nfkd = N.StripAccents().normalize_str, N.Lowercase().normalize_str, N.NFD().normalize_str, N.NFKD().normalize_str

CLASSES = {
    "control": lambda c: clean(c) == "",
    "cleanspace": lambda c: clean(c) == " ",
    "chinese": lambda c: chinese(c) == f" {c} ",
    "nonspacing": lambda c: accents(c) == "",
    "mark": lambda c: marks(c) == "",
    "punctuation": lambda c: punctuation(c) == ["a", c, "a"],
    "space": lambda c: spaces(c) == ["a", "a"],
    "word": lambda c: words(c) == [f"a{c}a"],
    "numeric": lambda c: digits(c) == ["a", c, "a"],
    "letter": matches(r"\p{L}"),
    "number": matches(r"\p{N}"),
    "nfd": lambda c: nfd(c) != c,
    "nfkd": lambda c: nfkd(c) != c,
    "ordered": lambda c: nfd(c) == c and (nfd("a\u0301" + c) != "a\u0301" + c or nfd("a" + c + "\u0323") != "a" + c + "\u0323"),
}


def ranges(codes):
    out = []
    for c in codes:
        if out and c == out[-1][1] + 1:
            out[-1][1] = c
        else:
            out.append([c, c])
    return " ".join(f"{a:X}" if a == b else f"{a:X}-{b:X}" for a, b in out)


def main():
    print("# Written by models/golden/unicode_classes.py; do not edit.")
    print(f"# The characters of each class as tokenizers {tokenizers.__version__} sees them, in hexadecimal.")
    for name, test in CLASSES.items():
        print(f"{name}: {ranges([ord(c) for c in ALL if test(c)])}")
    mapped = [f"{ord(c):X}=" + "+".join(f"{ord(d):X}" for d in lower(c)) for c in ALL if lower(c) != c]
    print("lower: " + " ".join(mapped))


if __name__ == "__main__":
    sys.exit(main())
