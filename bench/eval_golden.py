# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "scipy==1.17.1", "scikit-learn==1.9.1", "ir_measures==0.4.3"]
# ///
"""Values of eval/'s metrics by other people's code, for eval/testdata/golden.json.

    python bench/eval_golden.py > eval/testdata/golden.json

NDCG, ROC and the decisions are scikit-learn's, AP, P@k, recall and success
ir_measures', correlations and tests SciPy's, spans SQuAD's definition, BIO spans
read off with a regular expression.
"""

import json
import re
import string
import sys
from collections import Counter

import ir_measures
import numpy as np
from ir_measures import AP, P, R, Success, nDCG
from scipy import stats
from sklearn import metrics

rng = np.random.default_rng(8)


def rankings():
    for n, levels in [(5, 0), (12, 0), (40, 0), (200, 0), (12, 3), (60, 5), (200, 2)]:
        scores = rng.normal(size=n) if levels == 0 else rng.integers(0, levels, n).astype(float)
        counts = np.where(rng.random(n) < 0.4, rng.geometric(0.1, n), 0)
        counts[rng.integers(n)] = 7
        relevant = counts > 0
        case = {
            "scores": scores.tolist(),
            "counts": counts.tolist(),
            "ndcg": {k: metrics.ndcg_score([counts], [scores], k=k) for k in (1, 3, 5, 10, 25, 50)},
            "spearman": stats.spearmanr(scores, counts).statistic,
            "ranks": stats.rankdata(scores).tolist(),
            "auc": metrics.roc_auc_score(relevant, scores),
        }
        if levels == 0:  # trec_eval breaks ties by name, we by their mean
            qrels = [ir_measures.Qrel("q", f"d{i}", int(c)) for i, c in enumerate(counts)]
            run = [ir_measures.ScoredDoc("q", f"d{i}", float(s)) for i, s in enumerate(scores)]
            asked = {"ap": AP, "p1": P @ 1, "p3": P @ 3, "r5": R @ 5, "r10": R @ 10, "acc1": Success @ 1, "acc5": Success @ 5, "ndcg5": nDCG @ 5}
            got = ir_measures.calc_aggregate(asked.values(), qrels, run)
            case["trec"] = {name: got[m] for name, m in asked.items()}
        yield case


def samples():
    for n, m, ties in [(5, 7, False), (8, 30, False), (20, 25, False), (6, 9, True), (40, 50, True)]:
        x, y = rng.normal(0.3, 2, n), rng.normal(0, 1, m)
        if ties:
            x, y = np.round(x), np.round(y)
        u, t = stats.mannwhitneyu(x, y), stats.ttest_ind(x, y, equal_var=False)
        yield {"x": x.tolist(), "y": y.tolist(), "u": u.statistic, "u_p": u.pvalue, "t": t.statistic, "df": t.df, "t_p": t.pvalue}


def pairs():
    for n, shift in [(4, 0.5), (9, 0.2), (12, 0.6), (40, 0.15), (40, 0.45)]:
        a = rng.random(n)
        b = a - shift * rng.random(n) + 0.2 * rng.normal(size=n)
        test = stats.permutation_test((a, b), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", vectorized=True,
                                      n_resamples=np.inf if n < 20 else 99_999, rng=1)
        boot = stats.bootstrap((a,), np.mean, confidence_level=0.95, n_resamples=99_999, method="percentile", rng=1).confidence_interval
        yield {"a": a.tolist(), "b": b.tolist(), "exact": n < 20, "p": test.pvalue, "low": boot.low, "high": boot.high}


def normal(s):  # evaluate-v1.1.py of SQuAD
    s = "".join(c for c in s.lower() if c not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", s).split())


def f1(p, t):
    p, t = normal(p).split(), normal(t).split()
    common = sum((Counter(p) & Counter(t)).values())
    if not p or not t:
        return float(p == t)
    return 0.0 if common == 0 else 2 * common / (len(p) + len(t))


def spans():
    for p, t in [
        ("the sea is calm to-night", "The sea is calm tonight."),
        ("a sea", "calm"),
        ("calm calm calm", "the calm sea, so calm"),
        ("", "the"),
        ("", "word"),
        ("An apple; the Apple!", "apple apple"),
        ("naïve “quotes” stay", "naïve quotes stay"),
        ("$5 + 6 = 11", "5 6 11"),
    ]:
        yield {"predicted": p, "truth": t, "em": float(normal(p) == normal(t)), "f1": f1(p, t)}


def decisions():
    for rate in (0.5, 0.1, 0.0):
        truth, said = rng.random(50) < 0.3, rng.random(50) < rate
        yield {"truth": truth.tolist(), "predicted": said.tolist(), "accuracy": metrics.accuracy_score(truth, said),
               "precision": metrics.precision_score(truth, said, zero_division=0), "recall": metrics.recall_score(truth, said, zero_division=0),
               "f1": metrics.f1_score(truth, said, zero_division=0)}


def tags():
    truth = ["OOBIIO", "BIIIII", "OOOOOO", "OBIOBI", "BBIOOO", "OIIOOO"]
    said = ["OOBIIO", "OBIIII", "OBOOOO", "OBIOBO", "BBIOOO", "OBIOOO"]
    found = lambda s: {m.span() for m in re.finditer("BI*|I+", s)}
    both = sum(len(found(a) & found(b)) for a, b in zip(truth, said))
    p, r = both / sum(map(len, map(found, said))), both / sum(map(len, map(found, truth)))
    return {"truth": truth, "predicted": said, "exact": np.mean([a == b for a, b in zip(truth, said)]), "precision": p, "recall": r, "f1": 2 * p * r / (p + r)}


json.dump({"rankings": list(rankings()), "samples": list(samples()), "pairs": list(pairs()), "spans": list(spans()),
           "decisions": list(decisions()), "tags": tags()}, sys.stdout, indent=1, default=float)
print()
