"""What is said of agents as tables of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_retrieval_bench.reporting.layout import aligned
from pytest_retrieval_bench.text.visible import visible

Figure = Mapping[str, Any]

_DEPTH = "20"
_SHOWN_IDS = 5
_AGENTS = [
    "agent", "n", "events", "saw gold [95%]", "late", "first at", "kept gold", "kept F1 [95%]", "calls", "read tokens",
]  # fmt: skip
_RETRIEVERS = ["arm", "n", "ranks", "any@3", "any@5", "any@10", "any@20", "median rank", "F1 of 3 files"]
_JOINS = [
    "agent", "arm", "n", "both", "arm only", "agent only", "neither", f"PES@{_DEPTH} [95%]", "of the agent's misses",
]  # fmt: skip
_SEEDS = [
    "agent", "n", "kept F1", "more F1 [95%]", "saw gold", "first at", "calls", "tokens after", "seed tokens", "better",
    "worse", "rescued misses",
]  # fmt: skip
_CALIBRATIONS = [
    "agent", "predicted by", "n", "predicted", "steps gained", "rho", "events saved", "rho",
]  # fmt: skip


def tables(section: Mapping[str, Any]) -> Iterator[str]:
    """The lines of all tables; a figure whose n is not that of its row has it behind."""
    yield "what agents looked at:"
    yield from aligned([_AGENTS, *_agents(section["agents"])])
    yield from _left_out(section["agents"])
    if section["retrievers"]:
        yield "what arms rank:"
        yield from aligned([_RETRIEVERS, *_retrievers(section["retrievers"])])
        yield f"who finds gold, an arm among its first {_DEPTH} or the agent anywhere:"
        yield from aligned([_JOINS, *_joins(section["joins"])], (0, 1))
    if "seed_intervention" in section:
        yield f"handed files before they begin, against {visible(section['seed_intervention']['control'])}:"
        yield from aligned([_SEEDS, *_seeds(section["seed_intervention"])])
    if calibrations := list(_calibrations(section.get("calibration", {}))):
        yield "steps saved against what was predicted:"
        yield from aligned([_CALIBRATIONS, *calibrations], (0, 1))


def _agents(agents: Mapping[str, Any]) -> Iterator[list[str]]:
    for name, agent in agents.items():
        for group, cost in agent["cost"].items():
            n, tools = cost["any_gold"]["n"], agent.get("closed_tool", {}).get(group, {})
            yield [
                visible(name) if group == "all" else f"  {visible(group.removeprefix('task:'))}",
                str(n),
                _cell(cost["events"], n),
                _with_interval(cost["any_gold"]),
                _cell(cost["late"], n),
                _cell(cost["first_gold"], n, "median"),
                _cell(cost["final_gold"], n),
                _with_interval(agent["trajectory"][group].get("final_file_f1", {})),
                _cell(tools.get("tool_calls", {}), n),
                _cell(tools.get("read_tokens", {}), n),
            ]


def _left_out(agents: Mapping[str, Any]) -> Iterator[str]:
    for name, agent in agents.items():
        for why, identities in agent["left_out"].items():
            shown = ", ".join(map(visible, identities[:_SHOWN_IDS]))
            more = f" and {len(identities) - _SHOWN_IDS} more" if len(identities) > _SHOWN_IDS else ""
            yield f"{visible(name)}: {len(identities)} left out, {why}: {shown}{more}"


def _retrievers(retrievers: Mapping[str, Any]) -> Iterator[list[str]]:
    for arm, found in retrievers.items():
        n = found["n"]
        yield [
            arm,
            str(n),
            found["ranks"],
            *(_cell(found.get(name, {}), n) for name in _RETRIEVERS if name.startswith("any@")),
            _cell(found["first_gold_rank"], n, "median"),
            _cell(found["context_f1@3"], n),
        ]


def _joins(joins: Mapping[str, Any]) -> Iterator[list[str]]:
    for name, arms in joins.items():
        for arm, found in arms.items():
            n, cells = found["n"], found["complementarity"].get(_DEPTH, {})
            sides = ("both_hit", "retriever_only", "agent_only", "both_miss")
            yield [
                visible(name),
                arm,
                str(n),
                *(_cell(cells.get(side, {}), n) for side in sides),
                _with_interval(cells.get("potential_exploration_savings", {})),
                _cell(cells.get("retriever_given_agent_miss", {}), n),
            ]


def _seeds(intervention: Mapping[str, Any]) -> Iterator[list[str]]:
    n = intervention["n"]
    for name, found in intervention["agents"].items():
        paired, tools, seed = found.get("paired", {}), found["closed_tool"], found["seed"]
        yield [
            visible(name),
            str(n),
            _cell(found["trajectory"].get("final_file_f1", {}), n),
            _with_interval(paired.get("f1_delta", {})),
            _cell(found["any_gold"], n),
            _cell(found["first_gold"], n, "median"),
            _cell(tools["tool_calls"], n),
            _cell(seed["post_seed_read_tokens"], n),
            _cell(seed["seed_tokens"], n),
            *(_cell(paired.get(side, {}), n) for side in ("improved", "worsened", "rescued_given_control_miss")),
        ]


def _calibrations(calibrations: Mapping[str, Any]) -> Iterator[list[str]]:
    for name, sources in calibrations.items():
        for source, by_group in sources.items():
            found = by_group["all"]
            n = found["n"]
            yield [
                visible(name),
                source,
                str(n),
                _cell(found["predicted"], n),
                _cell(found["steps_gained"], n),
                _cell(found["predicted_with_steps_gained"], n, "spearman"),
                _cell(found["events_saved"], n),
                _cell(found["predicted_with_events_saved"], n, "spearman"),
            ]


def _cell(figure: Figure, n: int, name: str = "") -> str:
    """A figure in a row of `n` samples: its mean or rate, or what is named."""
    value = figure.get(name) if name else figure.get("mean", figure.get("rate"))
    if value is None:
        return "-"
    return f"{value:.3f}" if figure["n"] == n else f"{value:.3f} (n={figure['n']})"


def _with_interval(figure: Figure) -> str:
    """The value with the interval by repository where there is one, else that by sample."""
    ends = figure.get("clustered", figure)
    value = _cell(figure, figure.get("n", 0))
    return f"{value} [{ends['low']:.3f} {ends['high']:.3f}]" if "low" in ends else value
