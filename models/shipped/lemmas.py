"""Writes infer/features/lemmas.txt from the tables of WordNet in the package spacy-lookups-data (1.0.5):

    pip install --no-deps --target .cache/lookups spacy-lookups-data==1.0.5
    python3 models/shipped/lemmas.py .cache/lookups

Of WordNet's words only those stay that decide which rule of infer/features/lemma.go applies.
"""

import gzip
import json
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEAD = """# Words of WordNet 3.0 that lemma.go reads. models/shipped/lemmas.py writes this file.
#
# verb: all verbs. noun: those in -e whose plural could be of a noun without it. adjective: short ones in -e,
# and those that are verbs, too. verb-form, noun-form, adjective-form: irregular forms, each with its lemma.
#
"""


def main(folder):
    data = pathlib.Path(folder) / "spacy_lookups_data" / "data"
    index, forms = (json.loads(gzip.open(data / f"en_lemma_{name}.json.gz").read()) for name in ("index", "exc"))
    word = re.compile("[a-z]{2,}").fullmatch
    verbs = set(filter(word, index["verb"]))
    nouns = {n for n in filter(word, index["noun"]) if n.endswith(("se", "xe", "ze", "che", "she", "ie", "oe"))}
    adjectives = {a for a in filter(word, index["adj"]) if a.endswith("e") and len(a) <= 8 or a in verbs}
    out = HEAD + "".join(f"# {line.strip()}".rstrip() + "\n" for line in (data / "en_license.txt").read_text().splitlines())

    def put(name, words):
        return "\n" + "".join(f"{name}: {line}\n" for line in textwrap.wrap(" ".join(sorted(words)), 120, break_on_hyphens=False))

    for name, words in (("verb", verbs), ("noun", nouns), ("adjective", adjectives)):
        out += put(name, words)
    for name, of in (("verb", "verb"), ("noun", "noun"), ("adjective", "adj")):
        out += put(name + "-form", {f"{form}={lemmas[0]}" for form, lemmas in forms[of].items() if word(form) and word(lemmas[0])})
    (ROOT / "infer" / "features" / "lemmas.txt").write_text(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
