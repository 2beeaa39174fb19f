"""McNemar's exact test for paired yes and no."""

from __future__ import annotations

from scipy.stats import binomtest


def mcnemar(only_first: int, only_second: int) -> float:
    """The two-sided p value of the pairs in which only one side has a yes; 1 where there is none.

    Source: Q. McNemar, Note on the sampling error of the difference between correlated proportions or percentages,
    Psychometrika 12 (1947); exact by the binomial distribution.
    """
    differing = only_first + only_second
    return float(binomtest(only_first, differing).pvalue) if differing else 1.0
