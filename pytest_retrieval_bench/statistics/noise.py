"""How far a mean moves when the same thing is measured again, and what difference stands out from that."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import chdtri, stdtr, stdtrit

# An SD of two runs may be 32 times too small, by its own 95% interval; of three it is 6 times.
MIN_RUNS = 3
_TAIL = 0.025
_POWER = 0.8
_SAME = 1e-12  # means that differ by less differ by rounding alone


@dataclass(frozen=True, slots=True)
class Noise:
    """The standard deviation of a mean between single runs, and the number of runs, two or more, that it is from."""

    sd: float
    runs: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the standard deviation, for means that are normal.

        Source: G. W. Snedecor, W. G. Cochran, Statistical Methods (1989), section 5.11.
        """
        low, high = (self.sd * math.sqrt(self._degrees / float(chdtri(self._degrees, p))) for p in (_TAIL, 1 - _TAIL))
        return low, high

    @property
    def smallest(self) -> float:
        """The smallest difference worth believing: of 100 pairs of further runs of one thing, 5 differ by more.

        The 95% prediction interval of a difference of two runs: Student's t makes up for an SD that is itself a guess.

        Source: G. J. Hahn, W. Q. Meeker, Statistical Intervals (1991), section 4.7.
        """
        return self._half_width(1 - _TAIL)

    @property
    def detectable(self) -> float:
        """The true difference that lies beyond `smallest` in 80% of pairs of runs."""
        return self.smallest + self._half_width(_POWER)

    def power(self, difference: float) -> float:
        """The share of pairs of runs in which a true difference lies beyond `smallest`; of an SD above 0."""
        shift, bound = difference / (math.sqrt(2) * self.sd), float(stdtrit(self._degrees, 1 - _TAIL))
        return float(stdtr(self._degrees, shift - bound) + stdtr(self._degrees, -shift - bound))

    def samples_needed(self, n: int, difference: float) -> int:
        """How many samples would make the difference detectable, where these are n.

        Right where the noise of each sample is its own; what moves all samples of a run together does not shrink so.
        """
        return math.ceil(n * (self.detectable / difference) ** 2)

    @property
    def _degrees(self) -> int:
        return self.runs - 1

    def _half_width(self, share: float) -> float:
        return float(stdtrit(self._degrees, share)) * math.sqrt(2) * self.sd


def noise_of(means: Sequence[float]) -> Noise:
    """The noise of a mean that two or more runs gave; an SD of 0 where they differ by rounding alone."""
    centre = math.fsum(means) / len(means)
    squares = math.fsum((mean - centre) ** 2 for mean in means)
    same = max(means) - min(means) <= _SAME
    return Noise(0 if same else math.sqrt(squares / (len(means) - 1)), len(means))


def smallest_between(first: Noise, second: Noise) -> float:
    """The smallest difference worth believing between two things that were measured once each.

    Source: B. L. Welch, The generalization of Student's problem when several different population variances are
    involved, Biometrika 34 (1947), for the degrees of freedom.
    """
    variances = [noise.sd**2 for noise in (first, second)]
    if not any(variances):
        return 0
    parts = (variance**2 / (noise.runs - 1) for variance, noise in zip(variances, (first, second), strict=True))
    return float(stdtrit(sum(variances) ** 2 / sum(parts), 1 - _TAIL)) * math.sqrt(sum(variances))
