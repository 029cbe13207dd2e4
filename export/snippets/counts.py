"""Leaves each fold out in turn and predicts log(1 + count) of its passages by their words; prints of each fold the passages, and Spearman's rho."""
import json, pathlib
import scipy.stats
import numpy
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import Ridge

folds = {p.stem: [json.loads(line) for line in p.open(encoding="utf-8")] for p in sorted(pathlib.Path(__file__).parent.glob("fold_*.jsonl"))}
vectors = lambda some: HashingVectorizer(n_features=2**16, ngram_range=(1, 2), alternate_sign=False).transform([r["text"] for r in some])
counts = lambda some: numpy.log1p([r["count"] for r in some])
for held in folds if len(folds) > 1 else ():
    rest = [r for fold in folds if fold != held for r in folds[fold]]
    said = Ridge(1.0).fit(vectors(rest), counts(rest)).predict(vectors(folds[held]))
    print(held, len(folds[held]), scipy.stats.spearmanr(said, counts(folds[held])).statistic if len(set(counts(folds[held]))) > 1 else "nothing to rank")
