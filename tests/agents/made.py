"""Attempts of agents, made for a test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_retrieval_bench.agents.facts import Facts
from pytest_retrieval_bench.agents.logs import Step
from pytest_retrieval_bench.agents.runs import Attempt, attempt
from pytest_retrieval_bench.agents.tools import ToolUse
from pytest_retrieval_bench.model import Annotations

GOLD = "gold.py"


def facts(*gold: str, task: str = "code2test", repo: str = "acme/shop", marked: Annotations = Annotations()) -> Facts:  # noqa: B008
    """What is known of a sample; its gold is `gold.py` where none is named."""
    return Facts(task, repo, gold or (GOLD,), marked)


def steps(*paths: str, final: Sequence[str] = ()) -> tuple[Step, ...]:
    """Steps from 1 on, of which those of the `final` paths are kept."""
    return tuple(Step(path, number, final=path in final) for number, path in enumerate(paths, start=1))


def attempted(
    identity: str, *paths: str, final: Sequence[str] = (), tools: ToolUse | None = None, known: Facts | None = None
) -> Attempt:
    """An attempt with these steps."""
    return attempt(identity, known or facts(), steps(*paths, final=final), tools)


def handed(one: Attempt, *paths: str) -> Attempt:
    """The attempt with files that were handed to the agent before it began."""
    seed = tuple(Step(path, 0, tool="seed") for path in paths)
    return attempt(one.sample_id, one.facts, (*seed, *one.steps), one.tools and replace(one.tools, seed_files=paths))
