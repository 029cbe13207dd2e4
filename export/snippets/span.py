"""Reads the quoted sentence of each passage by its words; prints of each split the passages and the F1 of code points."""
import json, pathlib, re
import numpy
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier

rows = {s: [r for r in map(json.loads, pathlib.Path(__file__).with_name(s + ".jsonl").open(encoding="utf-8")) if r["spans"]] for s in ("train", "validation", "test")}
cut = lambda text: [m.span() for m in re.finditer(r"\S[^.!?;]*[.!?;]*", text)] or [(0, len(text))]
shared = lambda a, b: max(0, min(a[1], b[1]) - max(a[0], b[0]))
f1 = lambda a, b: 2 * shared(a, b) / (a[1] - a[0] + b[1] - b[0])
words = HashingVectorizer(n_features=2**16, ngram_range=(1, 2), alternate_sign=False)
vectors = lambda r: words.transform([r["passage"][b:e] for b, e in cut(r["passage"])])
pairs = [(r["passage"][b:e], int(shared((b, e), r["spans"][0]) > (e - b) / 2)) for r in rows["train"] for b, e in cut(r["passage"])]
model = SGDClassifier(loss="log_loss", alpha=1e-5, random_state=1).fit(words.transform([p for p, _ in pairs]), [y for _, y in pairs] if len({y for _, y in pairs}) > 1 else [i % 2 for i in range(len(pairs))])
for split in (s for s in rows if rows[s]):
    print(split + " (in sample)" * (split == "train"), len(rows[split]), numpy.mean([f1(cut(r["passage"])[model.decision_function(vectors(r)).argmax()], r["spans"][0]) for r in rows[split]]))
