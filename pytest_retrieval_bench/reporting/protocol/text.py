"""What the terminal shows of the section `protocol`: a verdict a line, and what was not registered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_retrieval_bench.reporting.layout import Grid, Shown
from pytest_retrieval_bench.reporting.protocol.hypotheses import BETTER, NON_INFERIOR
from pytest_retrieval_bench.text.visible import visible

_HEAD = ["hypothesis", "claim", "n", "repos", "diff", "95% interval", "p", "adjusted", "verdict"]


def shown_protocol(section: Mapping[str, Any]) -> Shown:
    """The protocol, its hypotheses, and what was run beside them."""
    return [f"{heading(section)}:", Grid(protocol_table(section), (0, 1, 8)), *not_registered(section)]


def heading(section: Mapping[str, Any]) -> str:
    """Which protocol it is, how it decides, and over how many samples."""
    samples = section["samples"]
    told = f"alpha {section['alpha']:g}, correction {section['correction']}"
    counts = f"{samples['measured']} of {samples['registered']} samples"
    return f"protocol {visible(section['title'])}, sha256 {section['sha256'][:12]}; {told}; {counts}"


def protocol_table(section: Mapping[str, Any]) -> list[list[str]]:
    """The head, and a row a hypothesis: its name, its claim, and what came of it."""
    return [_HEAD, *([visible(one["name"]), claim(one), *_cells(one)] for one in section["hypotheses"])]


def claim(hypothesis: Mapping[str, Any]) -> str:
    """What a hypothesis says, in words."""
    what = f"{visible(hypothesis['metric'])} against {visible(hypothesis['baseline'])}"
    margin = f"{hypothesis['margin']:g}"
    if hypothesis["direction"] == BETTER:
        bound = f"above +{margin}" if hypothesis["margin"] else "above 0"
    else:
        bound = f"above -{margin}" if hypothesis["direction"] == NON_INFERIOR else f"within ±{margin}"
    return f"{visible(hypothesis['arm'])}, {what}: {bound}"


def _cells(hypothesis: Mapping[str, Any]) -> list[str]:
    counts = [str(hypothesis["n"]), str(hypothesis["repositories"])]
    figures = ["-", "-"]
    if "interval" in hypothesis:
        ends = hypothesis["interval"]
        figures = [f"{hypothesis['mean_diff']:+.3f}", f"[{ends['low']:+.3f} {ends['high']:+.3f}]"]
    tested = [f"{hypothesis[name]:.4f}" if name in hypothesis else "-" for name in ("p", "adjusted")]
    why = f": {hypothesis['why']}" if "why" in hypothesis else ""
    return [*counts, *figures, *tested, f"{hypothesis['verdict']}{why}"]


def not_registered(section: Mapping[str, Any]) -> Iterator[str]:
    """The arms and the metrics that no hypothesis is about, a line each."""
    for kind, names in section["not_registered"].items():
        if names:
            yield f"exploratory, not registered: {kind} {', '.join(map(visible, names))}"
