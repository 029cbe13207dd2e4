"""The feature-based rankers of "Content-based models of quotation" (section 6.1 and
Appendix H), and a ridge regression: fit(rows) on some rows, scores for others.

All but LambdaMART are linear over three parts side by side: the features to unit
variance times SCALE, the TF-IDF bags, the language-model ratio among the features. What is
not solved exactly stops after 60 steps, which a penalty of 1e-4 or less notices."""

import numpy as np
import scipy.sparse as sparse
import xgboost
from sklearn.linear_model import Ridge
from threadpoolctl import threadpool_limits

from commonplace_train.rankers import SEED, lambdamart, pairs, poisson, svm_rank  # noqa: F401, for train.py and others.py
from data import Bags, Scaler
from language import Occurrences

threadpool_limits(1)  # what is shared between threads is added up in another order

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


def boosted(model, x, rounds):
    """Scores by the first rounds of a booster."""
    return model.predict(xgboost.DMatrix(x), output_margin=True, iteration_range=(0, rounds))
