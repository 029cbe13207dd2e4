"""Trains a small tagger of quotations on train.jsonl, and prints each split's rows and span F1."""
import json, pathlib
from seqeval.metrics import f1_score
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier

rows = {p.stem: [json.loads(line) for line in p.open(encoding="utf-8")] for p in pathlib.Path(__file__).parent.glob("*.jsonl")}
around = lambda t: [[f"{k}={t[i + k].lower()}" for k in range(-2, 3) if 0 <= i + k < len(t)] for i in range(len(t))]
vectors = lambda some: HashingVectorizer(analyzer=lambda words: words, n_features=2**18).transform([w for r in some for w in around(r["tokens"])])
model = SGDClassifier(random_state=1, class_weight="balanced").fit(vectors(rows["train"]), [t for r in rows["train"] for t in r["tags"]])
for split in sorted(s for s in rows if rows[s]):
    print(split, len(rows[split]), f1_score([r["tags"] for r in rows[split]], [list(model.predict(vectors([r]))) for r in rows[split]], zero_division=0))
