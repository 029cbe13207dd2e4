"""Reads export folders as their users do, and holds them against what they say of themselves.

    check_export.py FOLDER [FOLDER...]

Hugging Face datasets loads every config with the declared features; DuckDB and
pandas read the Parquet files; text[begin:end] is the span in every row that has
its text; seqeval takes the CoNLL files and finds them equal to themselves;
RELiC's layout is scored as its public evaluation does. SQuAD files are for
check_squad.py, whose library wants other versions. Needs
requirements-export.txt; works without a network.
"""

import hashlib
import json
import os
import pathlib
import re
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

import datasets  # noqa: E402
import duckdb  # noqa: E402
import pandas  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
import seqeval.metrics  # noqa: E402
import yaml  # noqa: E402
from seqeval.scheme import IOB2  # noqa: E402

TAGS = ["O", "B-QUOTE", "I-QUOTE"]

# Config: columns of a span in a text of the same row (text, begin, end, span).
WITHIN = {
    "examples": [("passage_text", "span_begin", "span_end", "span_text")],
    "quoted_spans": [("passage_text", "span_begin", "span_end", "span_text")],
}

# Config: columns of a span in a document (doc_id, begin, end, span).
IN_DOCUMENTS = {
    "passages": [("doc_id", "begin", "end", "text")],
    "alignments": [("source_id", "source_begin", "source_end", "source_text"), ("derived_id", "derived_begin", "derived_end", "derived_text")],
    "examples": [("doc_id", "quote_begin", "quote_end", "quote"), ("doc_id", "left_begin", "left_end", "left_context"), ("doc_id", "right_begin", "right_end", "right_context")],
    "queries": [("doc_id", "span_begin", "span_end", "span"), ("article_id", "quote_begin", "quote_end", "quote"), ("article_id", "left_begin", "left_end", "left_context")],
    "windows": [("source_id", "source_begin", "source_end", "quote")],
    "agreements": [("doc_id", "given_begin", "given_end", "given_text")],
}


class Check:
    """Counts what held and prints what did not, a few of a kind."""

    def __init__(self, folder):
        self.folder, self.held, self.failed = folder, 0, {}

    def hold(self, good, what, which=""):
        if good:
            self.held += 1
            return
        self.failed[what] = self.failed.get(what, 0) + 1
        if self.failed[what] <= 3:
            print(f"{self.folder}: {what}: {str(which)[:300]}", file=sys.stderr)


def check_files(c, folder):
    sums = dict(reversed(line.split("  ", 1)) for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines())
    there = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()} - {"SHA256SUMS"}
    c.hold(there == set(sums), "SHA256SUMS names other files", there ^ set(sums))
    for name, want in sums.items():
        c.hold(hashlib.sha256((folder / name).read_bytes()).hexdigest() == want, "sha256", name)


def check_config(c, folder, card, name, cache):
    """One config: declared and loaded features and sizes, and three readers that agree."""
    info = next(i for i in card["dataset_info"] if i["config_name"] == name)
    files = next(i for i in card["configs"] if i["config_name"] == name)["data_files"]
    declared = datasets.Features._from_yaml_list(info["features"])
    loaded = datasets.load_dataset(str(folder), name, cache_dir=cache)
    c.hold(set(loaded) == {s["name"] for s in info["splits"]}, f"{name}: splits", set(loaded))
    rows = []
    for entry in files:
        split = entry["split"]
        of = loaded[split]
        c.hold(of.features == declared, f"{name}: features of {split} are not those of the card", of.features)
        size = next(s for s in info["splits"] if s["name"] == split)
        c.hold(of.num_rows == size["num_examples"], f"{name}: rows of {split}", of.num_rows)
        paths = sorted(folder.glob(entry["path"]))
        total = len(paths)
        for i, path in enumerate(paths):
            c.hold(path.name == f"{split}-{i:05d}-of-{total:05d}.parquet", f"{name}: name of a file", path.name)
            said = json.loads(pq.read_schema(path).metadata[b"huggingface"])["info"]["features"]
            c.hold(datasets.Features.from_dict(said) == declared, f"{name}: features in the footer", path.name)
        n = duckdb.sql(f"SELECT count(*) FROM read_parquet({[str(p) for p in paths]})").fetchall()[0][0]
        frame = pandas.concat([pandas.read_parquet(p) for p in paths])
        c.hold(n == len(frame) == of.num_rows, f"{name}: DuckDB and pandas read other rows of {split}", (n, len(frame)))
        c.hold(list(frame.columns) == list(declared), f"{name}: pandas has other columns", list(frame.columns))
        rows += [dict(r, _split=split) for r in of.to_list()]
    if (folder / "jsonl").is_dir():
        check_jsonl(c, folder, name, declared, rows, [e["split"] for e in files])
    return rows


def check_jsonl(c, folder, name, features, rows, splits):
    """The JSON lines are the same rows, classes by their names."""
    lines = []
    for split in splits:
        with open(folder / "jsonl" / name / f"{split}.jsonl", encoding="utf-8", newline="\n") as f:
            lines += [dict(json.loads(line), _split=split) for line in f]
    c.hold(len(lines) == len(rows), f"{name}: lines of JSON", len(lines))
    classes = {k: f.feature.names if hasattr(f, "feature") else f.names for k, f in features.items() if "ClassLabel" in str(f)}
    for a, b in zip(rows, lines):
        for k, names in classes.items():
            a = dict(a, **{k: [names[i] for i in a[k]] if isinstance(a[k], list) else names[a[k]]})
        c.hold(a == b, f"{name}: a line of JSON is another row", [k for k in a if a[k] != b.get(k)])


def check_spans(c, tables):
    """text[begin:end] is the span wherever the text is here."""
    texts = {d["doc_id"]: d["text"] for d in tables.get("documents", []) if d["text"]}
    n = 0
    for name, spans in WITHIN.items():
        for r in tables.get(name, []):
            for text, begin, end, span in spans:
                if r[text]:
                    n += 1
                    c.hold(r[text][r[begin] : r[end]] == r[span] != "", f"{name}.{span} is not {text}[{begin}:{end}]", r)
                    a = r["answers"]
                    c.hold(all(r[text][s : s + len(t)] == t for t, s in zip(a["text"], a["answer_start"])) and a["text"] == [r[span]], f"{name}.answers", a)
    for name, spans in IN_DOCUMENTS.items():
        for r in tables.get(name, []):
            for of, begin, end, span in spans:
                if r[of] in texts and (r[span] or r[begin] == r[end]):
                    n += 1
                    c.hold(texts[r[of]][r[begin] : r[end]] == r[span], f"{name}.{span} is not the document's [{begin}:{end}]", (r[of], r[begin], r[end]))
    for r in tables.get("choices", []) + tables.get("span_choices", []):
        c.hold((r["label"] == 1) == (r["span_end"] > r["span_begin"]), "a choice with yes has a span", r)
    for r in tables.get("examples", []):
        tags = [TAGS[t] for t in r["tags"]]
        c.hold(re.fullmatch("O*BI*O*", "".join(t[0] for t in tags)) is not None, "examples.tags are not O* B I* O*", tags)
        c.hold(not r["tokens"] or len(r["tokens"]) == len(tags), "examples: tokens and tags", r["context_id"])
        c.hold(not r["tokens"] or "".join(r["tokens"]) == "".join(r["passage_text"].split()), "examples.tokens are not the passage's words and marks", r["context_id"])
    return n


def check_leaks(c, tables):
    for name, column, folds in [("queries", "doc_id", 0), ("queries", "cluster_id", 0), ("windows", "source_id", 0), ("replies", "conversation_id", 0), ("replies", "group", 0),
                                ("counted", "doc_id", 1), ("sequences", "doc_id", 1), ("pairs", "doc_id", 1)]:
        splits = {}
        for r in tables.get(name, []):
            splits.setdefault(r[column], set()).add(r["_split"])
            if not folds:
                c.hold(r["split"] == r["_split"], f"{name}.split is not its file's", r["split"])
            else:
                c.hold(f"fold_{r['fold']}" == r["_split"], f"{name}.fold is not its file's", r["fold"])
        c.hold(all(len(s) == 1 for s in splits.values()), f"{name}: a {column} is in two splits")


def read_conll(path):
    """Sentences of a file of two columns, as scripts for CoNLL-2003 read it."""
    sentences = [[]]
    with open(path, encoding="utf-8", newline="\n") as f:
        for line in f:
            columns = line.rstrip("\n").split("\t")
            if columns == [""]:
                sentences.append([])
            else:
                word, tag = columns
                sentences[-1].append((word, tag))
    assert sentences.pop() == []
    return sentences


def check_conll(c, folder, tables):
    """seqeval finds in each file the quotes that its rows have, and it equal to itself."""
    for path in sorted((folder / "conll").glob("*/*.conll")):
        sentences = read_conll(path)
        rows = [r for r in tables.get(path.parent.name, []) if r["_split"] == path.stem and r["tokens"]]
        if rows:
            c.hold([[w for w, _ in s] for s in sentences] == [r["tokens"] for r in rows], "conll: words are not the rows' tokens", path)
            c.hold([[t for _, t in s] for s in sentences] == [[TAGS[t] for t in r["tags"]] for r in rows], "conll: tags are not the rows'", path)
        tags = [[t for _, t in s] for s in sentences]
        c.hold(seqeval.metrics.f1_score(tags, tags, mode="strict", scheme=IOB2) == 1.0, "conll: seqeval's F1 with itself is not 1", path)
        c.hold(len(seqeval.metrics.sequence_labeling.get_entities(tags)) == len(sentences), "conll: not one quote a row", path)


def check_relic(c, folder, tables):
    """The layout as the public code walks it (relic_evaluation.py, score_submission.py):
    the gold candidate's place is looked up by the quote's index in candidates of its
    length, the context is four sentences before and four after, and the answers
    submitted as ranks score 1."""
    found = 0
    for split in ("train", "val", "test"):
        data = json.loads((folder / "relic" / f"{split}.json").read_text("utf-8"))
        recall = {n: [] for n in range(1, 6)}
        for title, book in data.items():
            c.hold(set(book) == {"quotes", "sentences", "candidates"}, "relic: members of a book", set(book))
            for n in range(1, 6):
                runs = book["candidates"][f"{n}_sentence"]
                c.hold(runs == list(range(len(book["sentences"]) - n + 1)), f"relic: candidates of {n} sentences", title)
            for key, (left, first, length, right) in book["quotes"].items():
                found += 1
                place = book["candidates"][f"{length}_sentence"].index(first)
                quote = " ".join(book["sentences"][first : first + length])
                context = " ".join(" ".join(left[-4:] + ["<mask>"] + right[:4]).split())
                c.hold(quote != "" and "<mask>" in context and len(left) <= 4 and len(right) <= 4, "relic: a quote", key)
                ranks = [place] + [i for i in range(101) if i != place][:99]
                recall[length].append(first in ranks[:1])
        for n, hits in recall.items():
            c.hold(all(hits), f"relic: the gold answer is not found among {n} sentences", split)
    windows = [w for w in tables.get("windows", []) if w["sentences"] <= 5 and w["quote"]]
    if windows:
        c.hold(found == len(windows), "relic: windows are missing", (found, len(windows)))


def check(folder, cache):
    c = Check(folder)
    check_files(c, folder)
    text = (folder / "README.md").read_text("utf-8")
    card = yaml.safe_load(text.split("---\n", 2)[1])
    tables = {}
    if "dataset_info" in card:
        names = datasets.get_dataset_config_names(str(folder))
        c.hold(names == [i["config_name"] for i in card["configs"]], "configs", names)
        for name in names:
            tables[name] = check_config(c, folder, card, name, cache)
    spans = check_spans(c, tables)
    check_leaks(c, tables)
    for image in re.findall(r"!\[[^]]*\]\(([^)]*)\)", text):
        c.hold((folder / image).is_file(), "the card shows a drawing that is not there", image)
    if (folder / "conll").is_dir():
        check_conll(c, folder, tables)
    if (folder / "relic").is_dir():
        check_relic(c, folder, tables)
    rows = ", ".join(f"{len(r)} {name}" for name, r in tables.items())
    if not c.failed:
        print(f"{folder}: {rows}; {spans} spans: {c.held} checks with datasets {datasets.__version__}, DuckDB {duckdb.__version__}, pandas {pandas.__version__} hold")
    return not c.failed


def main(folders):
    if not folders:
        sys.exit(__doc__)
    datasets.disable_progress_bars()
    with tempfile.TemporaryDirectory() as cache:
        good = [check(pathlib.Path(f), cache) for f in folders]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main(sys.argv[1:])
