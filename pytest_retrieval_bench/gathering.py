"""The arms that a run may choose from, wherever they come from, and those that it chose."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import pytest

from pytest_retrieval_bench.arms.arb.corpus import Corpus
from pytest_retrieval_bench.arms.arb.filters import ALL_FILES
from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.arms_file import arms_of_tables, command_from_one_liner, read_arms_file
from pytest_retrieval_bench.arms.named import (
    FLOORS,
    RANKERS,
    DenseArms,
    NamedArms,
    filters_candidates,
    first_stages,
    is_reserved,
)
from pytest_retrieval_bench.arms.programs import find_program
from pytest_retrieval_bench.arms.registry import GROUPS, built_in_arms, corvint_arms
from pytest_retrieval_bench.arms.replay import read_replay
from pytest_retrieval_bench.errors import SettingsError, unknown
from pytest_retrieval_bench.given import Sourced, refuse
from pytest_retrieval_bench.hooked import ARMS, arms_of_hooks
from pytest_retrieval_bench.index.cache import default_folder
from pytest_retrieval_bench.index.store import IndexStore
from pytest_retrieval_bench.model import CORVINT_ARMS, LEXICAL_ARMS, arm_rank
from pytest_retrieval_bench.settings import Settings
from pytest_retrieval_bench.telling import teller

_NO_CORVINT: Final = "no --rb-corvint"


def available_arms(settings: Settings, config: pytest.Config, indexes: IndexStore) -> dict[str, Arm]:
    """Every arm that could run, by name, and those that are there because they are named.

    Raises SettingsError for one that cannot be an arm, and for two of one name.
    """
    found: dict[str, Arm] = {}
    corpus = Corpus(settings.candidate_filter or ALL_FILES)
    vectors = (settings.cache_folder or default_folder()) if settings.cache else None
    dense = DenseArms(corpus, vectors, teller(config))
    for source, arm in _arms(settings, config, indexes, dense):
        name = getattr(arm, "name", None)
        if isinstance(arm, type):
            refuse(source, f"{arm!r} is a class; return an instance of it")
        if not isinstance(name, str) or not name or not callable(getattr(arm, "answer", None)):
            refuse(source, f"{arm!r} needs a `name` and an `answer` method")
        if not name.isprintable() or "," in name or name in GROUPS or name != name.strip() or is_reserved(name):
            refuse(source, f"{name!r} cannot be the name of an arm; rename it")
        if name in CORVINT_ARMS and source != "--rb-corvint":
            refuse(source, f"{name!r} is the name of an arm of corvint; rename it")
        bound = getattr(arm, "timeout_s", None)
        if bound is not None and (type(bound) not in (int, float) or not 0 < bound < math.inf):
            refuse(source, f"the timeout_s of {name!r} must be seconds above 0 or None, this is {bound!r}")
        if name in found:
            refuse(source, f"two arms have the name {name!r}; rename one")
        found[name] = arm
    return found | _named(settings, found, NamedArms(found, corpus, dense, settings.directory))


def _named(settings: Settings, found: Mapping[str, Arm], named: NamedArms) -> dict[str, Arm]:
    try:
        arms = {name: arm for name in settings.arms.value or () if (arm := named.get(name)) is not None}
    except SettingsError as error:
        refuse(settings.arms.source, str(error))
    arms |= {first.name: first for first in first_stages(arms.values())}
    if settings.candidate_filter is not None and not any(map(filters_candidates, (arms or found).values())):
        refuse("--rb-candidate-filter", "it is about the arms arb:… and dense:…, of which none runs; see --rb-arms")
    return arms


def selected(settings: Settings, available: Mapping[str, Arm]) -> list[str]:
    """The names of the arms that run, in the order of lists; with a reranker goes its first stage.

    Raises SettingsError for one that is not to be had, and for a mode that its arm does not run for.
    """
    names = _members(settings.arms.value or available)
    for name in names:
        if name not in available:
            if name in CORVINT_ARMS:
                refuse(settings.arms.source, f"{name} needs --rb-corvint=PATH")
            known = [*sorted(available, key=arm_rank), *GROUPS, *RANKERS, *FLOORS]
            hint = "arms of your own come from --rb-arms-file, --rb-command or a conftest.py where pytest runs"
            refuse(settings.arms.source, f"{unknown('arm', name, known)}; {hint}")
    for option, asked in settings.context_modes().items():
        if asked and "context" not in names:
            refuse(option, "it is about the arm context, which does not run; see --rb-corvint and --rb-arms")
    firsts = (first.name for first in first_stages(available[name] for name in names))
    return sorted({*names, *firsts}, key=arm_rank)


def not_run(available: Mapping[str, Arm], names: Sequence[str]) -> dict[str, str]:
    """Why the other arms that are known do not run, by arm."""
    left_out = {name: "not selected" for name in sorted(available, key=arm_rank) if name not in names}
    return left_out | {name: _NO_CORVINT for name in CORVINT_ARMS if name not in available}


def baselines(asked: Sourced[tuple[str, ...]], arms: Mapping[str, Arm]) -> tuple[str, ...]:
    """The baselines among the arms that run; by default the lexical ones, and always the first stages of rerankers.

    Raises SettingsError for one that does not run.
    """
    for name in _members(asked.value or ()):
        if name not in arms:
            refuse(asked.source, f"not in this run: {unknown('arm', name, arms)}")
    wanted = {*_members(asked.value or LEXICAL_ARMS), *(first.name for first in first_stages(arms.values()))}
    return tuple(name for name in arms if name in wanted)


def _arms(
    settings: Settings, config: pytest.Config, indexes: IndexStore, dense: DenseArms
) -> Iterator[tuple[str, Any]]:
    """Each arm with the words for where it comes from."""
    directory, suite = settings.directory, settings.suite
    for arm in built_in_arms(indexes):
        yield "built in", arm
    if settings.corvint is not None:
        program = find_program(settings.corvint, directory, "--rb-corvint")
        for arm in corvint_arms(program, directory, matched_latency=settings.snapshot_latency):
            yield "--rb-corvint", arm
    for arm in arms_of_tables(suite.arm_tables, str(suite.file), directory, dense) if suite else ():
        yield f"{suite and suite.file}: [arms]", arm
    for arm in read_arms_file(settings.arms_file, directory, dense) if settings.arms_file else ():
        yield f"{settings.arms_file}: [arms]", arm
    for text in settings.commands:
        yield "--rb-command", command_from_one_liner(text, directory)
    for text in settings.replays:
        yield "--rb-replay", read_replay(text, directory, settings.limit)
    for arms in arms_of_hooks(config):
        if not isinstance(arms, Iterable):
            refuse(ARMS, f"return a list of arms, this is {arms!r}")
        for arm in arms:
            yield ARMS, arm


def _members(names: Iterable[str]) -> list[str]:
    """The names with groups such as `bm25` spelled out."""
    return [member for name in names for member in GROUPS.get(name, (name,))]
