"""What is said of agents as tables of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_retrieval_bench.reporting.layout import aligned
from pytest_retrieval_bench.text.visible import visible

_DEPTH = "20"


def tables(section: Mapping[str, Any]) -> Iterator[str]:
    """The lines of all tables; a share or a mean stands with its n, or in a row that has it."""
    yield "what agents looked at:"
    yield from aligned(list(_agents(section["agents"])))
    for name, agent in section["agents"].items():
        for why, identities in agent["left_out"].items():
            yield f"{visible(name)}: {len(identities)} left out, {why}: {', '.join(map(visible, identities[:5]))}" + (
                f" and {len(identities) - 5} more" if len(identities) > 5 else ""
            )
    if section["retrievers"]:
        yield "what arms rank:"
        yield from aligned(list(_retrievers(section["retrievers"])))
        yield f"who finds gold, an arm among its first {_DEPTH} or the agent anywhere:"
        yield from aligned(list(_joins(section["joins"])), (0, 1))
    if "seed_intervention" in section:
        yield f"handed files before they begin, against {visible(section['seed_intervention']['control'])}:"
        yield from aligned(list(_seeds(section["seed_intervention"])))
        rows = list(_calibrations(section["calibration"]))
        if len(rows) > 1:
            yield "steps saved against what was predicted:"
            yield from aligned(rows, (0, 1))


def _agents(agents: Mapping[str, Any]) -> Iterator[list[str]]:
    yield [
        "agent",
        "n",
        "events",
        "saw gold [95%]",
        "late",
        "first at",
        "kept gold",
        "kept F1 [95%]",
        "calls",
        "read tokens",
    ]
    for name, agent in agents.items():
        for group, cost in agent["cost"].items():
            tools = agent.get("closed_tool", {}).get(group, {})
            yield [
                visible(name) if group == "all" else f"  {visible(group.removeprefix('task:'))}",
                str(cost["any_gold"]["n"]),
                _value(cost["events"]),
                _with_interval(cost["any_gold"]),
                _value(cost["late"]),
                _value(cost["first_gold"], "median"),
                _value(cost["final_gold"]),
                _with_interval(agent["trajectory"][group].get("final_file_f1", {})),
                _value(tools.get("tool_calls", {})),
                _value(tools.get("read_tokens", {})),
            ]


def _retrievers(retrievers: Mapping[str, Any]) -> Iterator[list[str]]:
    depths = [name for name in next(iter(retrievers.values())) if name.startswith("any@")]
    yield ["arm", "n", "ranks", *depths, "median rank", "F1 of 3 files"]
    for arm, found in retrievers.items():
        shares = [_value(found.get(name, {})) for name in depths]
        yield [
            arm,
            str(found["n"]),
            found["ranks"],
            *shares,
            _value(found["first_gold_rank"], "median"),
            _value(found["context_f1@3"]),
        ]


def _joins(joins: Mapping[str, Any]) -> Iterator[list[str]]:
    yield [
        "agent",
        "arm",
        "n",
        "both",
        "arm only",
        "agent only",
        "neither",
        f"PES@{_DEPTH} [95%]",
        "of agent's misses",
        "n",
    ]
    for name, arms in joins.items():
        for arm, found in arms.items():
            cells = found["complementarity"].get(_DEPTH)
            if cells is not None:
                sides = [_value(cells[side]) for side in ("both_hit", "retriever_only", "agent_only", "both_miss")]
                rescued = cells["retriever_given_agent_miss"]
                saved = _with_interval(cells["potential_exploration_savings"])
                yield [visible(name), arm, str(found["n"]), *sides, saved, _value(rescued), str(rescued["n"])]


def _seeds(intervention: Mapping[str, Any]) -> Iterator[list[str]]:
    yield [
        "agent",
        "n",
        "kept F1",
        "dF1 [95%]",
        "saw gold",
        "first at",
        "calls",
        "tokens after",
        "seed tokens",
        "better",
        "worse",
        "rescued",
        "n",
    ]
    for name, found in intervention["agents"].items():
        paired, tools, seed = found.get("paired", {}), found["closed_tool"], found["seed"]
        rescued = paired.get("rescued_given_control_miss", {})
        yield [
            visible(name),
            str(intervention["n"]),
            _value(found["trajectory"].get("final_file_f1", {})),
            _with_interval(paired.get("f1_delta", {})),
            _value(found["any_gold"]),
            _value(found["first_gold"], "median"),
            _value(tools["tool_calls"]),
            _value(seed["post_seed_read_tokens"]),
            _value(seed["seed_tokens"]),
            _value(paired.get("improved", {})),
            _value(paired.get("worsened", {})),
            _value(rescued),
            str(rescued.get("n", "")),
        ]


def _calibrations(calibrations: Mapping[str, Any]) -> Iterator[list[str]]:
    yield ["agent", "predicted by", "n", "predicted", "steps gained", "n", "rho", "events saved", "n", "rho"]
    for name, by in calibrations.items():
        for source, groups in by.items():
            found = groups["all"]
            steps, events = found["predicted_with_steps_gained"], found["predicted_with_events_saved"]
            yield [
                visible(name),
                source,
                str(found["n"]),
                _value(found["predicted"]),
                _value(found["steps_gained"]),
                str(steps["n"]),
                _value(steps, "spearman"),
                _value(found["events_saved"]),
                str(events["n"]),
                _value(events, "spearman"),
            ]


def _value(figure: Mapping[str, Any], name: str = "") -> str:
    value = figure.get(name) if name else figure.get("mean", figure.get("rate"))
    return "-" if value is None else f"{value:.3f}"


def _with_interval(figure: Mapping[str, Any]) -> str:
    """The value with the interval by repository where there is one, else that by sample."""
    ends = figure.get("clustered", figure)
    return _value(figure) + (f" [{ends['low']:.3f} {ends['high']:.3f}]" if "low" in ends else "")
