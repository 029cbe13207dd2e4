"""Two towers of words: contexts are mapped to where their passages stand; prints of each split the rows, and how often the right passage is nearest among those of its document."""
import json, pathlib
import numpy
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge

rows = {s: [json.loads(line) for line in pathlib.Path(__file__).with_name(s + ".jsonl").open(encoding="utf-8")] for s in ("train", "validation", "test")}
words = TfidfVectorizer(sublinear_tf=True).fit([r[k] for r in rows["train"] for k in ("context", "passage")])
small = TruncatedSVD(min(128, len(words.vocabulary_) - 1, 2 * len(rows["train"]) - 1), random_state=1).fit(words.transform([r[k] for r in rows["train"] for k in ("context", "passage")]))
vectors = lambda texts: small.transform(words.transform(texts))
tower = Ridge(1.0).fit(vectors([r["context"] for r in rows["train"]]), vectors([r["passage"] for r in rows["train"]]))
first = lambda r: (vectors([r["passage"], *r["negatives"]]) @ tower.predict(vectors([r["context"]]))[0]).argmax() == 0
for split in (s for s in rows if rows[s]):
    print(split + " (in sample)" * (split == "train"), len(rows[split]), numpy.mean([first(r) for r in rows[split]]))
