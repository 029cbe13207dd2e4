"""The rankers of "Content-based models of quotation" (section 6.1 and Appendix H), fitted by
NumPy and SciPy. What is not solved exactly stops after 60 steps, which a penalty of 1e-4 or less notices."""

import sys

import numpy as np
from scipy.optimize import minimize

SEED = 1836


def poisson(x, y, alpha, weight=None):
    """Poisson regression with a logarithmic link and an L2 penalty, on raw counts."""
    weight = np.full(len(y), 1 / len(y)) if weight is None else weight / weight.sum()
    n, xt, scale = x.shape[1], x.T.tocsr(), y.mean()
    y = y / scale  # only moves the intercept

    def loss(theta):
        logit = np.minimum(x @ theta[:n] + theta[n], 30)
        mean = np.exp(logit)
        slope = weight * (mean - y)
        value = (weight * (mean - y * logit)).sum() + alpha / 2 * (theta[:n] ** 2).sum()
        return value, np.append(xt @ slope + alpha * theta[:n], slope.sum())

    best = minimize(loss, np.zeros(n + 1), jac=True, method="L-BFGS-B", options={"maxiter": 60})
    return best.x[:n], best.x[n] + np.log(scale)


def pairs(counts, documents, n):
    """Each quoted passage before n less quoted ones of its document, drawn with a seed."""
    random, more, less = np.random.default_rng(SEED), [], []
    for name in dict.fromkeys(documents):
        rows = np.flatnonzero(documents == name)
        for i in rows[counts[rows] > 0]:
            others = rows[counts[rows] < counts[i]]
            if len(others):
                drawn = random.choice(others, min(n, len(others)), replace=False)
                more += [i] * len(drawn)
                less += list(drawn)
    return np.array(more), np.array(less)


def svm_rank(x, counts, documents, alpha, n):
    """A linear SVM on differences of pairs, squared hinge (Joachims 2002)."""
    more, less = pairs(counts, documents, n)
    if not len(more):
        sys.exit("train: no document has two passages with different counts, so there is nothing to rank")
    d = (x[more] - x[less]).tocsr()
    dt = d.T.tocsr()

    def loss(w):
        slack = np.maximum(0, 1 - d @ w)
        return alpha / 2 * (w @ w) + (slack**2).mean(), alpha * w - 2 / len(slack) * (dt @ slack)

    return minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 60}).x, 0.0


def lambdamart(x, counts, documents, rate, depth, rounds):
    """LambdaMART whose gains are the counts: what the paper's label log2(count + 1) comes to
    in the exponential form of NDCG (Appendix C). Its DCG differs from the paper's in the
    discount alone."""
    import xgboost  # of this one alone

    order = np.argsort(documents, kind="stable")
    _, group = np.unique(documents[order], return_inverse=True)
    data = xgboost.DMatrix(x[order], counts[order], qid=group)
    return xgboost.train(
        {
            "objective": "rank:ndcg", "ndcg_exp_gain": False, "eta": rate, "max_depth": depth, "tree_method": "hist", "max_bin": 64,
            "lambdarank_pair_method": "topk", "lambdarank_num_pair_per_sample": 10, "min_child_weight": 0.1,
            "subsample": 0.8, "colsample_bytree": 0.5, "seed": SEED, "nthread": 1, "verbosity": 0,
        },
        data, rounds,
    )
