"""The made-up articles of paper B's experiment (bench/articles.py)."""

import contextlib
import importlib.util
import io
import json
import pathlib
import tempfile
import unittest
import unittest.mock
import zipfile

import tiny

PATH = pathlib.Path(__file__).resolve().parents[2] / "bench" / "articles.py"
spec = importlib.util.spec_from_file_location("articles", PATH)
articles = importlib.util.module_from_spec(spec)
spec.loader.exec_module(articles)


class Articles(unittest.TestCase):
    def make(self, folder, to):
        path = pathlib.Path(folder, "speeches.zip")
        with zipfile.ZipFile(path, "w") as archive:
            for k in range(2):
                lines = []
                for p in range(40):
                    said = [[tiny.WORDS[(97 * k + 31 * p + 11 * s + i * (p + 3)) % 600] for i in range(12)] for s in range(3)]
                    lines.append(" ".join(" ".join([w[0].capitalize(), *w[1:3], "of", *w[3:]]) + "." for w in said))
                archive.writestr(f"{1990 + k}-Nobody.txt", "\n".join(lines))
        to = pathlib.Path(folder, to)
        with unittest.mock.patch("sys.argv", ["articles.py", str(to), str(path)]), contextlib.redirect_stdout(io.StringIO()):
            articles.main()
        with zipfile.ZipFile(path) as archive:
            return to.read_text(encoding="utf-8"), " ".join(" ".join(archive.read(n).decode().split()) for n in sorted(archive.namelist()))

    def test_articles_are_marked_and_quote_what_they_do_not_give_away(self):
        with tempfile.TemporaryDirectory() as folder:
            made, speeches = self.make(folder, "a.jsonl")
            self.assertEqual(made, self.make(folder, "b.jsonl")[0])
        rows = [json.loads(line) for line in made.splitlines()]
        self.assertGreater(len(rows), 10)
        two = 0
        for row in rows:
            self.assertEqual(row["made"], "bench/articles.py")
            left, *rest = row["text"].split("\u201c")
            quotes = [r.split("\u201d")[0].rstrip(".,") for r in rest]
            two += len(quotes) == 2
            for quote in quotes:
                self.assertIn(quote, speeches)
            of_templates = articles.stems(" ".join(articles.OPENINGS + articles.BEFORE + articles.TOPICS + articles.SAYING + articles.TITLES))
            self.assertFalse((articles.stems(f"{row['title']} {left}") - of_templates) & articles.stems(quotes[0]), row)
        self.assertTrue(0 < two < len(rows))


if __name__ == "__main__":
    unittest.main()
