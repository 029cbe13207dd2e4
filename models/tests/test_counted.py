"""What the rankers by counts read and which settings they try, without training."""

import itertools
import types
import unittest

import numpy as np
import scipy.sparse as sparse

from commonplace_train import counted


class Counted(unittest.TestCase):
    def test_terms_that_most_passages_have(self):
        """Of the terms that five training passages have, the most frequent; of equal ones the earlier."""
        times = np.zeros((8, 5), int)  # passages by terms, of which the first is none
        times[:6, 1], times[:5, 2], times[:4, 3], times[:5, 4] = 1, 3, 9, 1
        times[7] = 1  # of no training passage
        inputs = types.SimpleNamespace(terms=["", "a", "b", "c", "d"], times=sparse.csr_matrix(times))
        train = np.arange(7)
        self.assertEqual(counted.frequent(inputs, train, 100).tolist(), [0, 6, 5, 0, 5])
        self.assertEqual(counted.frequent(inputs, train, 2).tolist(), [0, 6, 5, 0, 0])
        self.assertEqual(counted.frequent(inputs, train, 0).tolist(), [0] * 5)

    def test_grids(self):
        tried = {(grid, head): list(itertools.product(*counted.GRIDS[grid][head])) for grid in counted.GRIDS for head in counted.NAMES}
        self.assertEqual({at: len(some) for at, some in tried.items()}, {
            ("short", "poisson"): 4, ("short", "svm-rank"): 4, ("short", "lambdamart"): 3,
            ("paper", "poisson"): 7, ("paper", "svm-rank"): 28, ("paper", "lambdamart"): 112,
        })
        self.assertIn((1e-5, 3), tried["paper", "svm-rank"])
        self.assertIn((0.01, 10, 500), tried["paper", "lambdamart"])
        self.assertEqual(counted.said("svm-rank", (1e-5, 3)), "penalty 1e-05, negatives 3")
