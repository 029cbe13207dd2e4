"""Compares vectors of length 1 that two programs made of the same texts.

    python3 bench/scoring/compare.py A.f32 B.f32 WIDTH

Prints the largest difference of a component, the lowest cosine between the two
vectors of a text, and Spearman's rho between the programs' cosines of texts that
stand 1, 10 and 100 apart. Where one file is longer its rest is left out.
"""

import sys

import numpy as np


def ranks(values):
    ranks = np.empty(len(values))
    ranks[np.argsort(values)] = np.arange(len(values))
    return ranks


def main(a, b, width):
    a, b = (np.fromfile(path, dtype="<f4").reshape(-1, int(width)) for path in (a, b))
    n = min(len(a), len(b))
    a, b = a[:n].astype(float), b[:n].astype(float)
    apart = [i for i in (1, 10, 100) if i < n]
    cosines = [np.concatenate([(v[i:] * v[:-i]).sum(1) for i in apart]) for v in (a, b)]
    rho = np.corrcoef(*(ranks(c) for c in cosines))[0, 1]
    print(f"{n} texts: largest difference of a component {np.abs(a - b).max():.2g}, lowest cosine {(a * b).sum(1).min():.5f}, Spearman of cosines between texts {rho:.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
