"""Letting arms go of what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.composed import with_components


@contextmanager
def closed_at_the_end(arms: Iterable[Arm]) -> Iterator[None]:
    """Closes those of the arms that can be closed, and those that fusions are made of, whatever happens inside."""
    with ExitStack() as closing:
        for arm in with_components(arms):
            closing.callback(getattr(arm, "close", lambda: None))
        yield
