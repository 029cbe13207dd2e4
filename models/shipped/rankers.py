"""The feature-based rankers of "Content-based models of quotation" (section 6.1 and
Appendix H), and a ridge regression: fit(rows) on some rows, scores for others.

All but LambdaMART are linear over three parts side by side: the features to unit
variance times SCALE, the TF-IDF bags, the language-model ratio among the features. What is
not solved exactly stops after 60 steps, which a penalty of 1e-4 or less notices."""

import numpy as np
import scipy.sparse as sparse
import xgboost
from scipy.optimize import minimize
from sklearn.linear_model import Ridge
from threadpoolctl import threadpool_limits

from data import Bags, Scaler
from language import Occurrences

threadpool_limits(1)  # what is shared between threads is added up in another order

SEED = 1836
SCALE = 0.3  # of a feature of unit variance beside a bag of length one
RATIO = "language_model"


class Inputs:
    """What the rankers read, made from training rows: scaled features, bags, the ratio.

    The ratio of a training row is from a model that has not read its document's
    fold, or it would be an answer and no feature; of all other rows, from a model
    of all training rows. said is the table language of the rows' run, whose folds
    they have and of which train has whole ones; without it the training rows are
    counted here."""

    def __init__(self, matrix, counts, train, fold, names, bags=True, ratio=True, keep=None, weight=None, said=None):
        self.matrix, self.names, self.ratio, self.bags = matrix, list(names), ratio, None
        x = matrix.columns(self.names)
        if ratio:
            read = np.setdiff1d(fold[train], [-1])  # -1: of no fold, nothing is quoted there
            if said is None:
                said = Occurrences.of(matrix.terms, matrix.times[train], counts[train], fold[train], fold.max() + 1)
            self.language = said.model(read)
            column = self.language(matrix.times)
            for k in read:
                held = train & (fold == k)
                column[held] = said.model(read[read != k])(matrix.times[held])
            x = np.column_stack([x, column])
        self.scaler = Scaler(x[train], None if weight is None else weight[train])
        self.dense = self.scaler(x)
        if bags:
            self.bags = Bags(matrix.times[train], keep)
            self.tfidf = self.bags(matrix.times)

    def linear(self):
        parts = [sparse.csr_matrix(self.dense * SCALE)]
        if self.bags:
            parts.append(self.tfidf)
        return sparse.hstack(parts).tocsr()


def within(values, documents, weight=None):
    """Values with their document's mean taken off: what is left is the order within it."""
    out = np.array(values, dtype=float)
    for name in np.unique(documents):
        rows = documents == name
        out[rows] -= np.average(out[rows], weights=None if weight is None else weight[rows])
    return out


def ridge(x, y, alpha, weight=None, tolerance=1e-4, steps=400):
    """Weights of a ridge regression and its intercept."""
    m = Ridge(alpha=alpha, solver="sparse_cg", tol=tolerance, max_iter=steps).fit(x, y, sample_weight=weight)
    return m.coef_, float(m.intercept_)


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


def boosted(model, x, rounds):
    """Scores by the first rounds of a booster."""
    return model.predict(xgboost.DMatrix(x), output_margin=True, iteration_range=(0, rounds))
