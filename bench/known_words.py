"""The list of common English words in crawl/quality/words.txt.

    python bench/known_words.py FOLDER_OF_BOOKS... > crawl/quality/words.txt

A word is two or more letters between other characters, in small letters. The
list has those that stand in at least seven of the books (.txt.gz), sorted: a
word of that many books by several authors is no slip of one. With 68 books of
English novels, plays and essays they are most of what English prose is made of.
"""

import collections
import gzip
import pathlib
import re
import sys

WORD = re.compile(r"[^\W\d_]{2,}")


def main():
    books = collections.Counter()
    for folder in sys.argv[1:]:
        for path in sorted(pathlib.Path(folder).glob("*.txt.gz")):
            text = gzip.decompress(path.read_bytes()).decode("utf-8", "replace")
            books.update(set(WORD.findall(text.lower())))
    for word in sorted(w for w, n in books.items() if n >= 7 and w.isascii()):
        print(word)


if __name__ == "__main__":
    main()
