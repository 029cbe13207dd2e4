"""pysbd's and spaCy's sentence boundaries on the hand-cut pages, as F1.

    pip install pysbd==0.3.4 spacy==3.8
    python bench/segment/sentences_peers.py segment/testdata/sentences/pages.json FOLDER_OF_BOOKS
    python bench/segment/sentences_peers.py segment/testdata/sentences/heldout.json FOLDER_OF_BOOKS

Both get each paragraph with its line breaks as spaces, which is kinder to them
than the raw text. Boundaries between paragraphs are not counted.
The figure of ours: go test ./segment -run HandCut -v
"""

import gzip
import json
import pathlib
import re
import sys

import pysbd
import spacy

PARAGRAPH = re.compile(r"\S(?:.*?)(?=\s*(?:\r?\n[ \t]*){2,}|\Z)", re.S)


def pysbd_begins(text, _seg=pysbd.Segmenter(language="en", clean=False, char_span=True)):
    return [s.start + len(s.sent) - len(s.sent.lstrip()) for s in _seg.segment(text)]


nlp = spacy.blank("en")
nlp.add_pipe("sentencizer")


def spacy_begins(text):
    return [s.start_char for s in nlp(text).sents]


def main():
    pages = json.loads(pathlib.Path(sys.argv[1]).read_text())
    for name, begins in [("pysbd", pysbd_begins), ("spacy sentencizer", spacy_begins)]:
        right = wrong = missed = 0
        for page in pages:
            raw = gzip.decompress((pathlib.Path(sys.argv[2]) / (page["book"] + ".txt.gz")).read_bytes()).decode()
            gold, found = set(page["sentences"]), set()
            for m in PARAGRAPH.finditer(raw[page["begin"] : page["end"]]):
                first = page["begin"] + m.start()
                gold.discard(first)
                found |= {first + b for b in begins(re.sub(r"[\r\n]", " ", m.group()))} - {first}
            right += len(gold & found)
            wrong += len(found - gold)
            missed += len(gold - found)
        print(f"{name}: {right} right, {wrong} wrong, {missed} missed, F1 {2 * right / (2 * right + wrong + missed):.3f}")


if __name__ == "__main__":
    main()
