"""How long a run will still take, from how long its items took: a pure function."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, linear_regression


@dataclass(frozen=True, slots=True)
class Task:
    """An item of a run: `kind` is what tasks of about the same cost share, `size` that of its snapshot in bytes."""

    kind: str
    size: int


def seconds_left(done: Sequence[tuple[Task, float]], waiting: Sequence[Task], elapsed_s: float) -> float | None:
    """The seconds that the waiting tasks will take; None where too little is known.

    `done` are tasks with their seconds. A task is taken to cost what a straight line through the costs of its kind by
    size says. What all tasks so far took of the clock, side by side or not, is scaled to those that wait. Too little is
    known of a kind that was not seen yet, and of other sizes where one only was seen.
    """
    seen: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for task, seconds in done:
        seen[task.kind].append((task.size, seconds))
    sizes = {task.size for task, _ in done}
    if any(task.kind not in seen or (task.size not in sizes and len(sizes) < 2) for task in waiting):
        return None
    lines = {kind: _line(points) for kind, points in seen.items()}
    so_far = _cost(lines, (task for task, _ in done))
    return elapsed_s * _cost(lines, waiting) / so_far if so_far else None


def in_words(seconds: float) -> str:
    """A time as exactly as an estimate can be: `under 10 s`, `about 40 s`, `about 2 h 30 min`."""
    if seconds < 10:
        return "under 10 s"
    if seconds < 90:
        return f"about {round(seconds, -1):.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"about {minutes} min"
    hours, tens = divmod(round(minutes / 10), 6)
    return f"about {hours} h {tens * 10} min" if tens else f"about {hours} h"


def _cost(lines: dict[str, tuple[float, float]], tasks: Iterable[Task]) -> float:
    return math.fsum(lines[task.kind][0] + lines[task.kind][1] * task.size for task in tasks)


def _line(points: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """Seconds of a task without size, and seconds a byte; neither is below 0."""
    sizes, seconds = zip(*points, strict=True)
    mean = fmean(seconds)
    if len(set(sizes)) == 1:
        return mean, 0.0
    slope, base = linear_regression(sizes, seconds)
    if slope < 0:
        return mean, 0.0
    if base < 0:
        return 0.0, linear_regression(sizes, seconds, proportional=True).slope
    return base, slope
