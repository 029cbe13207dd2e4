"""Scores of two Python libraries that label/ must give, too.

Writes label/testdata/retrieval.json: for some queries, the BM25 score
(rank_bm25 0.2.2, BM25Okapi) and the TF-IDF cosine similarity (scikit-learn
1.9.1, TfidfVectorizer) of every paragraph of the demo's essays.

    pip install rank_bm25==0.2.2 scikit-learn==1.9.1
    python bench/retrieval_reference.py
"""

import json
from pathlib import Path

from rank_bm25 import BM25Okapi
from sklearn.feature_extraction.text import TfidfVectorizer

ROOT = Path(__file__).resolve().parent.parent
QUERIES = [
    "the clock and the lamp",
    "a kindness is a debt a debt a debt",
    "nowhere xyzzy",
    "",
    "thrift economist cigar island island",
]

paragraphs = [
    p
    for name in sorted((ROOT / "testdata/demo/essays").glob("*.txt"))
    for p in name.read_text("utf-8").split("\n\n")
]
words = [p.lower().split() for p in paragraphs]
bm25 = BM25Okapi(words)
vectorizer = TfidfVectorizer(analyzer=lambda text: text.lower().split())
matrix = vectorizer.fit_transform(paragraphs)
rows = []
for query in QUERIES:
    cosines = (matrix @ vectorizer.transform([query]).T).toarray().ravel()
    rows.append(
        {
            "query": query,
            "bm25": [round(float(x), 10) for x in bm25.get_scores(query.lower().split())],
            "tfidf": [round(float(x), 10) for x in cosines],
        }
    )
out = ROOT / "label/testdata/retrieval.json"
out.parent.mkdir(exist_ok=True)
out.write_text(json.dumps({"paragraphs": len(paragraphs), "queries": rows}) + "\n")
