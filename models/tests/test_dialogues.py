"""The conversations of paper D's experiment (bench/dialogues.py)."""

import contextlib
import gzip
import importlib.util
import io
import json
import pathlib
import tempfile
import unittest
import unittest.mock

PATH = pathlib.Path(__file__).resolve().parents[2] / "bench" / "dialogues.py"
spec = importlib.util.spec_from_file_location("dialogues", PATH)
dialogues = importlib.util.module_from_spec(spec)
spec.loader.exec_module(dialogues)

NAMES = [f"author{i:02}" for i in range(20)] + ["twain", "clemens"]


class Dialogues(unittest.TestCase):
    def test_an_author_is_on_one_side_whichever_the_name(self):
        with tempfile.TemporaryDirectory() as folder:
            books = []
            for i, name in enumerate(NAMES):
                for k in range(2):
                    path = pathlib.Path(folder, f"{name}__book-{k}.txt.gz")
                    said = f"He came on day {i} of month {k}, as you know. \u201cNobody saw him in year {i} or {k}.\u201d\n\n\u201cWhat do you mean? I do not see {i}.\u201d\n"
                    path.write_bytes(gzip.compress(said.encode()))
                    books.append(str(path))
            to = pathlib.Path(folder, "to")
            with unittest.mock.patch("sys.argv", ["dialogues.py", str(to), *books]), contextlib.redirect_stdout(io.StringIO()):
                dialogues.main()
            rows = [json.loads(line) for line in (to / "conversations.jsonl").read_text(encoding="utf-8").splitlines()]
            splits = [json.loads(line) for line in (to / "splits.jsonl").read_text(encoding="utf-8").splitlines()]
        self.assertEqual([r["conversation_id"] for r in rows], [s["id"] for s in splits])
        self.assertEqual(len(rows), len(books))
        self.assertEqual({r["quotation"] for r in rows}, {"What do you mean?"})
        of = {}
        for s in splits:
            of.setdefault(s["id"].split("__")[0], set()).add(s["split"])
        self.assertEqual({len(s) for s in of.values()}, {1})
        self.assertEqual(of["twain"], of["clemens"])
        self.assertEqual(set.union(*of.values()), {"train", "validation", "test"})


if __name__ == "__main__":
    unittest.main()
