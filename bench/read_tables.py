"""A second reader: what the program says of its tables, held by programs that we did not write.

    python bench/read_tables.py RUN [RUN...]

Reads every table of a run with pyarrow and again with DuckDB, and checks

  the schemas against docs/tables.md, column by column
  files, sizes, SHA-256, row counts and rejects against each commit record
  the same rows from both readers, sorted and sharded as docs/tables.md says
  as many rows from pandas, polars and pyarrow, which get nothing but the folder of a table or of rejects
  text[begin:end] of every span of every table, in code points (both readers)
  tokens and tags of examples, no quote in two splits, contexts; spans and splits of the other datasets
  quote counts recomputed from alignments, or readers' from given spans, ranks and percentiles from scores
  the table language: what it counts without each fold, of all folds, adds up to what it counts

and ends with status 1 and one line for every kind of mismatch (the first ten).
"""

import bisect
import collections
import hashlib
import json
import math
import pathlib
import re
import sys

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet as pq

# Tables that every run over documents has; the others are of datasets that a config names.
SCORED = {"scores", "rankings"}
ALWAYS = {"documents", "quotes", "passages", "alignments", "quote_counts"} | SCORED
TABLES_MD = pathlib.Path(__file__).resolve().parent.parent / "docs" / "tables.md"


class Mismatches:
    """Counts what is wrong and prints the first of each kind."""

    def __init__(self, run):
        self.run, self.kinds, self.checks = run, collections.Counter(), 0

    def hold(self, ok, kind, detail=""):
        self.checks += 1
        if ok:
            return
        self.kinds[kind] += 1
        if self.kinds[kind] <= 10:
            print(f"{self.run}: {kind}: {detail}", file=sys.stderr)


def documented():
    """Columns, order and shard column of each table, as docs/tables.md has them."""
    tables = {}
    _, _, page = TABLES_MD.read_text("utf-8").partition("<!-- tables -->\n")
    page, _, _ = page.partition("<!-- end -->")
    for name, body in re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", page, re.S | re.M):
        sorted_by = re.search(r"Sorted by ((?:`\w+`(?:, )?)+)", body)
        shard = re.search(r"shard is the hash of `(\w+)`", body)
        tables[name] = {
            "columns": re.findall(r"^\| `([\w\[\].]+)` \| ([\w ]+) \|", body, re.M),
            "order": re.findall(r"`(\w+)`", sorted_by.group(1)),
            "shard": shard.group(1) if shard else None,
        }
    if len(tables) < 9:
        sys.exit(f"{TABLES_MD}: only {len(tables)} tables were understood")
    return tables


def flat(schema):
    """A Parquet schema in the words of docs/tables.md."""
    words = {pyarrow.string(): "string", pyarrow.int64(): "int64", pyarrow.float64(): "float64", pyarrow.bool_(): "bool"}
    columns = []
    for field in schema:
        kind = field.type
        if not pyarrow.types.is_list(kind):
            columns.append((field.name, words.get(kind, str(kind)) + " or null" * field.nullable))
        elif pyarrow.types.is_struct(kind.value_type):
            columns.append((field.name, "list of struct"))
            columns += [(f"{field.name}[].{inner.name}", words.get(inner.type, str(inner.type))) for inner in kind.value_type]
        else:
            columns.append((field.name, "list of " + words.get(kind.value_type, str(kind.value_type))))
    return columns


def fnv1a64(text):
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8"):
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def check_files(m, folder, shards, what):
    """Sizes and hashes of shards, and that no other file would be taken for rows."""
    for shard in shards:
        path = folder / shard["file"]
        if not path.is_file():
            m.hold(False, f"{what}: a shard is missing", shard["file"])
            continue
        m.hold(path.stat().st_size == shard["bytes"], f"{what}: bytes", shard["file"])
        m.hold(hashlib.sha256(path.read_bytes()).hexdigest() == shard["sha256"], f"{what}: sha256", shard["file"])
        m.hold(pq.read_metadata(path).num_rows == shard["rows"], f"{what}: rows of a shard", shard["file"])
    there = {p.name for p in folder.iterdir()}
    m.hold(there == {s["file"] for s in shards}, f"{what}: files beside those of the record", sorted(there))


def same(a, b):
    """Equal values; DuckDB gives lists as lists and structs as dicts, as pyarrow does."""
    return a == b or (isinstance(a, float) and isinstance(b, float) and a != a and b != b)


def record_of(run, name):
    return run / "records" / name / "_commit.json"


def check_folder(m, folder, rows, what):
    """The folder alone, as it stands in the run, gives every reader each row once."""
    readers = {
        "pandas": lambda: len(pandas.read_parquet(folder)),
        "polars": lambda: len(polars.read_parquet(folder)),
        "polars, lazily": lambda: polars.scan_parquet(folder).select(polars.len()).collect().item(),
        "pyarrow": lambda: pq.read_table(folder).num_rows,
        "pyarrow.dataset": lambda: pyarrow.dataset.dataset(folder).count_rows(),
    }
    for name, read in readers.items():
        try:
            got = read()
        except Exception as err:  # of any reader
            got = err
        m.hold(got == rows, f"{what}: {name} reads the folder otherwise", f"{got}, want {rows} rows")


def read_table(m, run, name, page):
    """The rows of a table, read twice, held against its record and the page."""
    folder = run / name
    record = json.loads(record_of(run, name).read_text("utf-8"))
    check_files(m, folder, record["shards"], name)
    check_files(m, run / "rejects" / record["stage"], record["rejects"], f"rejects of {record['stage']}")
    m.hold(sum(s["rows"] for s in record["shards"]) == record["rows"], f"{name}: rows of the record", record["rows"])
    m.hold(sum(s["rows"] for s in record["rejects"]) == record["rejected"], f"{name}: rejects of the record", record["rejected"])
    rows = []
    for k, shard in enumerate(record["shards"]):
        path = folder / shard["file"]
        m.hold(shard["file"] == f"part-{k:05d}-of-{len(record['shards']):05d}.parquet", f"{name}: name of a shard", shard["file"])
        file = pq.ParquetFile(path)
        m.hold(flat(file.schema_arrow) == page["columns"], f"{name}: columns are not those of docs/tables.md", flat(file.schema_arrow))
        lists = [f for f in file.schema_arrow if pyarrow.types.is_list(f.type)]
        m.hold(not any(f.nullable for f in lists), f"{name}: a list is nullable", shard["file"])
        mine = file.read().to_pylist()
        keys = [tuple(r[c].encode() if isinstance(r[c], str) else r[c] for c in page["order"]) for r in mine]
        m.hold(all(a < b for a, b in zip(keys, keys[1:])), f"{name}: rows are not sorted, or a key comes twice", shard["file"])
        if page["shard"]:
            wrong = [r[page["shard"]] for r in mine if fnv1a64(r[page["shard"]]) % len(record["shards"]) != k]
            m.hold(not wrong, f"{name}: rows in the wrong shard", wrong[:3])
        rows += mine
    again = duckdb.sql(f"SELECT * FROM read_parquet('{folder}/*.parquet')").fetchall()
    names = [c for c, _ in page["columns"] if "[]" not in c]
    m.hold(len(again) == len(rows), f"{name}: DuckDB reads another number of rows", f"{len(again)}, pyarrow {len(rows)}")
    key = [names.index(c) for c in page["order"]]
    again.sort(key=lambda r: [str(r[i]) for i in key])
    ours = sorted(rows, key=lambda r: [str(r[c]) for c in page["order"]])
    differ = [i for i, (a, b) in enumerate(zip(again, ours)) if not all(same(x, b[n]) for x, n in zip(a, names))]
    m.hold(not differ, f"{name}: DuckDB reads other values than pyarrow", again[differ[0]] if differ else "")
    check_folder(m, folder, len(rows), name)
    check_folder(m, run / "rejects" / record["stage"], sum(s["rows"] for s in record["rejects"]), f"rejects of {record['stage']}")
    return rows, record


def check_spans(m, table, rows, texts, of, begin, end, span):
    """text[begin:end] == span for every row."""
    for r in rows:
        text = texts.get(r[of])
        m.hold(text is not None, f"{table}.{of}: no such text", r[of])
        if text is not None:
            good = 0 <= r[begin] <= r[end] <= len(text) and text[r[begin] : r[end]] == r[span]
            m.hold(good, f"{table}.{span} is not text[{begin}:{end}]", (r[of], r[begin], r[end]))


def check_duckdb_spans(m, run):
    """The same with DuckDB's own substring, which counts code points from 1."""
    for table, of, begin, end, span in [
        ("passages", "doc_id", "begin", "end", "text"),
        ("rankings", "doc_id", "begin", "end", "text"),
        ("rankings", "doc_id", "best_begin", "best_end", "best_text"),
        ("alignments", "source_id", "source_begin", "source_end", "source_text"),
        ("examples", "doc_id", "quote_begin", "quote_end", "quote"),
    ]:
        if not (run / table).is_dir():
            continue
        bad = duckdb.sql(
            f"""SELECT count(*) FROM read_parquet('{run}/{table}/*.parquet') t
                LEFT JOIN read_parquet('{run}/documents/*.parquet') d ON d.doc_id = t.{of}
                WHERE t."{begin}" IS NOT NULL AND substring(d.text, t."{begin}" + 1, t."{end}" - t."{begin}") IS DISTINCT FROM t.{span}"""
        ).fetchall()[0][0]
        m.hold(bad == 0, f"{table}.{span}: DuckDB's substring is another", f"{bad} rows")


def check_alignments(m, name, rows, texts, quotes):
    check_spans(m, name, rows, texts, "source_id", "source_begin", "source_end", "source_text")
    of_quotes = [r for r in rows if r["quote_id"]]
    check_spans(m, name, of_quotes, quotes, "quote_id", "derived_begin", "derived_end", "derived_text")
    check_spans(m, name, [r for r in rows if r["derived_id"]], texts, "derived_id", "derived_begin", "derived_end", "derived_text")
    for r in rows:
        m.hold(bool(r["quote_id"]) != bool(r["derived_id"]), f"{name}: one side quotes", r["alignment_id"])
        m.hold(r["kind"] in ("exact", "inexact", "ellipsis", "block"), f"{name}.kind", r["kind"])
        m.hold(0 <= r["similarity"] <= 1 and 0 <= r["confidence"] <= 1, f"{name}: similarity or confidence", r["alignment_id"])
        for p in r["parts"]:
            inside = r["source_begin"] <= p["source_begin"] < p["source_end"] <= r["source_end"]
            inside = inside and r["derived_begin"] <= p["derived_begin"] < p["derived_end"] <= r["derived_end"]
            m.hold(inside, f"{name}: a part lies outside", r["alignment_id"])
    ids = collections.Counter(r["alignment_id"] for r in rows)
    m.hold(all(n == 1 for n in ids.values()), f"{name}: an id comes twice", ids.most_common(1))


def check_examples(m, rows, record, texts, passages, groups):
    for prefix, span in (("quote", "quote"), ("left", "left_context"), ("right", "right_context")):
        check_spans(m, "examples", rows, texts, "doc_id", prefix + "_begin", prefix + "_end", span)
    by_id = {p["passage_id"]: p for p in passages}
    splits = collections.defaultdict(set)
    together = {"quote": "quote_id", "document": "doc_id"}.get(record["config"]["split"]["by"])
    for r in rows:
        m.hold(r["passage_text"] == by_id[r["passage_id"]]["text"], "examples.passage_text is not its passage's", r["context_id"])
        m.hold(r["passage_text"][r["span_begin"] : r["span_end"]] == r["span_text"] != "", "examples.span_text", r["context_id"])
        m.hold(r["span_text"] in r["quote"], "examples.span_text is not in the quote", r["context_id"])
        m.hold(r["passage_id"] in r["passage_ids"], "examples.passage_ids", r["context_id"])
        m.hold(r["crosses_boundary"] == (len(r["passage_ids"]) > 1), "examples.crosses_boundary", r["context_id"])
        context = " ".join(c for c in (r["left_context"], r["right_context"]) if c)
        m.hold(r["context"] == context, "examples.context is not left and right", r["context_id"])
        m.hold(r["left_end"] <= r["quote_begin"] < r["quote_end"] <= r["right_begin"], "examples: contexts overlap the quote", r["context_id"])
        words = record["config"]["context_words"]
        m.hold(len(r["left_context"].split()) <= words and len(r["right_context"].split()) <= words, "examples: context too long", r["context_id"])
        m.hold(len(r["tokens"]) == len(r["tags"]), "examples: tokens and tags", r["context_id"])
        m.hold(re.fullmatch("O*BI*O*", "".join(r["tags"])) is not None, "examples.tags are not O* B I* O*", (r["context_id"], r["tags"]))
        at, tagged = 0, []  # tokens stand in the passage, in order; those tagged touch the span
        for token, tag in zip(r["tokens"], r["tags"]):
            begin = r["passage_text"].find(token, at)
            m.hold(begin >= 0, "examples: a token is not in the passage", (r["context_id"], token))
            at = begin + len(token)
            if tag != "O":
                tagged.append((begin, at))
        if tagged:
            touch = tagged[0][0] < r["span_end"] and tagged[-1][1] > r["span_begin"]
            m.hold(touch, "examples: the tags do not cover the span", r["context_id"])
        m.hold(r["split"] in ("train", "validation", "test"), "examples.split", r["split"])
        if together:
            splits[r[together]].add(r["split"])
        if together == "quote_id":  # the same words, or words of one stretch of a source, in two splits
            splits[" ".join(re.findall(r"\w+", r["quote"].lower()))].add(r["split"])
    leaks = [q for q, s in splits.items() if len(s) > 1]
    m.hold(not leaks, f"examples: a {together} is in two splits", leaks[:3])
    reach = {}
    for r in sorted(rows, key=lambda r: (r["doc_id"], r["quote_begin"], r["quote_end"])):
        end, split = reach.get(r["doc_id"], (0, ""))
        if together == "quote_id" and r["quote_begin"] < end:
            m.hold(split == r["split"], "examples: words of a source are in two splits", r["context_id"])
        if r["quote_end"] > end:
            reach[r["doc_id"]] = (r["quote_end"], r["split"])
    by_alignment = {g["alignment_id"]: g for g in groups}
    m.hold(all(r["context_id"] in by_alignment for r in rows), "examples: one is in no group")
    for r in rows:
        if r["pieces"]:
            m.hold(len(r["pieces"]) == len(r["piece_tags"]), "examples: pieces and tags", r["context_id"])
            m.hold(re.fullmatch("O*BI*O*", "".join(r["piece_tags"])) is not None, "examples.piece_tags are not O* B I* O*", r["context_id"])


def check_datasets(m, tables, texts):
    """The tables of the datasets that a config names; those that are not there are empty."""
    for prefix, of, span in (("left", "article_id", "left_context"), ("quote", "article_id", "quote"), ("span", "doc_id", "span")):
        check_spans(m, "queries", tables["queries"], texts, of, prefix + "_begin", prefix + "_end", span)
    days = collections.defaultdict(set)
    for r in tables["queries"]:
        days[r["split"]].add(r["date"])
    order = [days[s] for s in ("train", "validation", "test") if days[s]]
    m.hold(all(max(a) < min(b) for a, b in zip(order, order[1:])), "queries: the splits' days do not follow one another")
    for r in tables["quoted_spans"]:
        m.hold(r["passage_text"][r["span_begin"] : r["span_end"]] == r["span_text"] != "", "quoted_spans.span_text", r["part_id"])
    check_spans(m, "agreements", tables["agreements"], texts, "doc_id", "given_begin", "given_end", "given_text")
    check_spans(m, "windows", tables["windows"], texts, "source_id", "source_begin", "source_end", "quote")
    for name in ("choices", "span_choices"):
        for r in tables[name]:
            m.hold((r["label"] == "yes") == (r["sampled_by"] == "positive") == (r["span_end"] > 0), f"{name}.label", r["context_id"])
            m.hold(r["span_end"] <= len(r["passage_text"]), f"{name}: span outside the passage", r["context_id"])
    for name, key, kept in (
        ("windows", "source_id", "split"), ("queries", "doc_id", "split"), ("replies", "conversation_id", "split"),
        ("counted", "doc_id", "fold"), ("sequences", "doc_id", "fold"), ("pairs", "doc_id", "fold"),
    ):
        seen = collections.defaultdict(set)
        for r in tables[name]:
            seen[r[key]].add(r[kept])
        leaks = [k for k, s in seen.items() if len(s) > 1]
        m.hold(not leaks, f"{name}: a {key} has two {kept}s", leaks[:3])
    for r in tables["pairs"]:
        m.hold(r["more_count"] > r["less_count"], "pairs: the first is not quoted more", r["more_id"])


def check_language(m, rows, record):
    """Of each term what stands in each fold, all less what is without it, adds up to all.
    Quotable is whole parts of 65536, so that its sums are exact too."""
    folds, terms = record["config"]["folds"], collections.defaultdict(dict)
    for r in rows:
        terms[r["term"]][r["fold"]] = r
        m.hold(math.isfinite(r["weight"]), "language.weight is no number", r["term"])
    for term, n in terms.items():
        if set(n) != set(range(-1, folds)):
            m.hold(False, "language: a term has other folds", (term, sorted(n)))
            continue
        m.hold(len({r["passages"] for r in n.values()}) == 1, "language.passages differ between folds", term)
        m.hold(n[-1]["passages"] >= record["config"]["least"], "language: a term of too few passages", term)
        for column in ("background", "quotable"):
            each = [n[-1][column] - n[k][column] for k in range(folds)]
            m.hold(min(each) >= 0 and sum(each) == n[-1][column], f"language.{column}: the folds do not add up", (term, n[-1][column], each))


def check_counts(m, rows, alignments, passages):
    """Distinct quotes, or distinct portions of derived texts, whose parts overlap a passage."""
    portions, reach = collections.defaultdict(list), {}
    for a in sorted(alignments, key=lambda a: (a["source_id"], a["quote_id"], a["derived_id"], a["derived_begin"], a["derived_end"])):
        side = (a["source_id"], a["quote_id"], a["derived_id"])
        number, end = reach.get(side, (0, None))
        if end is not None and not a["quote_id"] and a["derived_begin"] >= end:
            number, end = number + 1, None
        reach[side] = (number, max(a["derived_end"], end or 0))
        for p in a["parts"] or [a]:
            portions[a["source_id"]].append((p["source_begin"], p["source_end"], side + (number,)))
    counted = {}
    for p in passages:
        counted[p["passage_id"]] = len({who for b, e, who in portions[p["doc_id"]] if b < p["end"] and e > p["begin"]})
    m.hold([r["passage_id"] for r in rows] == [p["passage_id"] for p in passages], "quote_counts: not one row a passage")
    for r in rows:
        m.hold(r["count"] == counted.get(r["passage_id"]), "quote_counts.count is another", (r["passage_id"], r["count"], counted.get(r["passage_id"])))


def check_readers(m, rows, config, spans, passages):
    """Of given spans that readers quote: a passage holds more than half of one, or one more than half of it."""
    by_doc, by, counted = collections.defaultdict(list), config.get("by", {}), {}
    for s in spans:
        if by.get("spans: " + s["source"]) == "readers":
            by_doc[s["doc_id"]].append(s)
    for p in passages:
        shared = [(min(s["end"], p["end"]) - max(s["begin"], p["begin"]), s) for s in by_doc[p["doc_id"]]]
        counted[p["passage_id"]] = sum(s["count"] for n, s in shared if n > (s["end"] - s["begin"]) / 2 or n > (p["end"] - p["begin"]) / 2)
    for r in rows:
        m.hold(r["readers"] == counted[r["passage_id"]], "quote_counts.readers is another", (r["passage_id"], r["readers"], counted[r["passage_id"]]))


def check_rankings(m, rows, scores, counts, passages):
    m.hold([r["passage_id"] for r in scores] == [p["passage_id"] for p in passages], "scores: not one row a passage")
    m.hold([r["passage_id"] for r in rows] == [p["passage_id"] for p in passages], "rankings: not one row a passage")
    frame = pandas.DataFrame(rows, columns=["passage_id", "doc_id", "score", "rank_in_document", "rank_overall", "rank_balanced", "percentile"])
    overall = frame["score"].rank(method="min", ascending=False)
    within = frame.groupby("doc_id")["score"].rank(method="min", ascending=False)
    m.hold((overall == frame["rank_overall"]).all(), "rankings.rank_overall is another", frame[overall != frame["rank_overall"]].head(3).to_dict("records"))
    m.hold((within == frame["rank_in_document"]).all(), "rankings.rank_in_document is another", frame[within != frame["rank_in_document"]].head(3).to_dict("records"))
    balanced = (within * (len(frame) + 1) + overall).rank(method="min")  # documents take turns
    m.hold((balanced == frame["rank_balanced"]).all(), "rankings.rank_balanced is another", frame[balanced != frame["rank_balanced"]].head(3).to_dict("records"))
    ordered = sorted(frame["score"])
    for r, s, c in zip(rows, scores, counts):
        m.hold(r["score"] == s["score"] and r["score"] - r["score"] == 0, "rankings.score is not the score", r["passage_id"])
        for line in ("best_begin", "best_end", "best_text", "best_score"):
            m.hold(r[line] == s[line], f"rankings.{line} is not the scores'", r["passage_id"])
        m.hold(r["quote_count"] == c["count"], "rankings.quote_count is not the count", r["passage_id"])
        lower = bisect.bisect_left(ordered, r["score"]) / len(ordered)
        m.hold(abs(lower - r["percentile"]) < 1e-12, "rankings.percentile is another", r["passage_id"])


def check_run(run):
    m = Mismatches(run)
    tables, records = {}, {}
    always = ALWAYS if (run / "documents").is_dir() else {"conversations"}  # a run may hold conversations alone
    if "score" not in json.loads((run / "settings.json").read_text("utf-8")):  # reuse alone
        always = always - SCORED
    for name, page in documented().items():
        if name == "rejects":
            check_folder(m, run / "rejects", sum(pq.read_metadata(p).num_rows for p in (run / "rejects").glob("*/*.parquet")), "rejects")
            for path in sorted((run / "rejects").glob("*/*.parquet")):
                schema = pq.read_schema(path)
                m.hold(flat(schema) == page["columns"], "rejects: columns are not those of docs/tables.md", path.name)
                stages = {r["stage"] for r in pq.read_table(path).to_pylist()}
                m.hold(stages <= {path.parent.name}, "rejects of another stage", path)
        elif record_of(run, name).is_file():
            tables[name], records[name] = read_table(m, run, name, page)
        else:
            m.hold(name not in always, "a table is not there or not whole", name)
            tables[name] = []
    if m.kinds:
        return m, tables
    texts = {d["doc_id"]: d["text"] for d in tables["documents"]}
    quotes = {q["quote_id"]: q["text"] for q in tables["quotes"]}
    for d in tables["documents"]:
        m.hold(d["characters"] == len(d["text"]) == d["frame_end"] - d["frame_start"], "documents: lengths", d["doc_id"])
    passages = tables["passages"]
    check_spans(m, "passages", passages, texts, "doc_id", "begin", "end", "text")
    check_spans(m, "rankings", tables["rankings"], texts, "doc_id", "begin", "end", "text")
    lines = [r for r in tables["rankings"] if r["best_begin"] is not None]
    check_spans(m, "rankings", lines, texts, "doc_id", "best_begin", "best_end", "best_text")
    for p in passages:
        m.hold(p["passage_id"] == f"{p['doc_id']}:{p['index']:06d}", "passages.passage_id", p["passage_id"])
        m.hold(p["words"] == len(p["text"].split()), "passages.words", p["passage_id"])
    for name in ("alignments", "matches"):
        check_alignments(m, name, tables.get(name, []), texts, quotes)
    check_duckdb_spans(m, run)
    if "examples" in records:
        check_examples(m, tables["examples"], records["examples"], texts, passages, tables["groups"])
    check_datasets(m, tables, texts)
    if "language" in records:
        check_language(m, tables["language"], records["language"])
    if "documents" not in records:  # conversations alone
        return m, tables
    counting = records["quote_counts"]["config"]
    if "spans" in records and counting["overlap"] == "half":
        check_spans(m, "spans", tables["spans"], texts, "doc_id", "begin", "end", "text")
        check_readers(m, tables["quote_counts"], counting, tables["spans"], passages)
    elif counting.get("from", "alignments") == "alignments":
        check_counts(m, tables["quote_counts"], tables["alignments"], passages)
    if "rankings" in records:
        check_rankings(m, tables["rankings"], tables["scores"], tables["quote_counts"], passages)
    return m, tables


def main(runs):
    if not runs:
        sys.exit(__doc__)
    failed = False
    for run in map(pathlib.Path, runs):
        m, tables = check_run(run)
        rows = ", ".join(f"{len(r)} {name}" for name, r in tables.items())
        if m.kinds:
            failed = True
            print(f"{run}: {sum(m.kinds.values())} mismatches of {len(m.kinds)} kinds in {rows}")
        else:
            print(f"{run}: {rows}: {m.checks} checks with pyarrow {pyarrow.__version__} and DuckDB {duckdb.__version__} hold")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
