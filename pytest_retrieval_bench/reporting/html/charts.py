"""Charts as static SVG whose colours are the page's, so that they follow its dark mode and print.

Drawn by matplotlib without its global state; equal figures give equal bytes.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from pytest_retrieval_bench.reporting.html.figures import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterator

# Stand-ins that matplotlib knows as colours and no other text holds; the page's variables take their places.
_COLOURS = {"#0a0b01": "var(--ink)", "#0a0b02": "var(--faint)", "#0a0b03": "var(--accent)"}
_INK, _FAINT, _ACCENT = _COLOURS
_DASHES = ("-", "--", ":", "-.")
_SHADES = ("#0a0b11", "#0a0b12", "#0a0b13", "#0a0b14", "#0a0b15", "#0a0b16")
_WIDTH, _ROW, _FRAME = 7.2, 0.34, 0.75
_COLOURS |= {shade: f"var(--series-{number})" for number, shade in enumerate(_SHADES, start=1)}


def whiskers(title: str, estimates: Sequence[Estimate], *, bars: bool, zero: bool = False) -> Markup:
    """A row an estimate: its value, as a bar or a point, with its interval; `zero` draws the line of 0."""
    names = [f"{one.name}  (n={one.n})" for one in estimates]
    with _axes(title, len(names), names) as (axes, done):
        places = range(len(estimates))
        values = [one.value for one in estimates]
        if bars:
            axes.barh(places, values, height=0.62, color=_ACCENT, alpha=0.35)
            axes.set_xlim(0, 1)
        ends = [[max(0, one.value - one.low) for one in estimates], [max(0, one.high - one.value) for one in estimates]]
        axes.errorbar(values, places, xerr=ends, fmt="o", color=_INK, ecolor=_INK, capsize=3, markersize=4, linewidth=1)
        if zero:
            axes.axvline(0, color=_INK, linewidth=0.8)
    return done.markup()


def curves(title: str, lines: Mapping[str, Sequence[float]], across: str) -> Markup:
    """A line an arm over 1, 2, 3, …; lines differ by dashes and marks as well as by colour."""
    with _axes(title, 9, None) as (axes, done):
        for number, (name, values) in enumerate(lines.items()):
            shade = _SHADES[number % len(_SHADES)]
            dash, mark = _DASHES[number % len(_DASHES)], "os^DvPX*"[number % 8]
            depths = range(1, len(values) + 1)
            axes.plot(depths, values, dash, marker=mark, markersize=4, linewidth=1.4, color=shade, label=_plain(name))
        axes.set_ylim(0, 1)
        axes.set_xlabel(across)
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1), labelcolor=_INK, fontsize=9)
    return done.markup()


def spreads(title: str, blocks: Mapping[str, Mapping[str, float]]) -> Markup:
    """A row a distribution in milliseconds, by powers of ten: shortest to longest, median, 95th percentile."""
    names = [f"{name}  (n={block['n']})" for name, block in blocks.items()]
    with _axes(title, len(names), names) as (axes, done):
        axes.set_xscale("log")
        for place, block in enumerate(blocks.values()):
            least = max(block["min_ms"], 1e-3)
            axes.plot([least, max(block["max_ms"], least)], [place, place], color=_FAINT, linewidth=2)
            axes.plot([max(block["p50_ms"], least)], [place], "o", color=_INK, markersize=6)
            axes.plot([max(block["p95_ms"], least)], [place], "|", color=_INK, markersize=12, markeredgewidth=2)
        axes.set_xlabel("ms; ● median, | 95th percentile, line from shortest to longest")
    return done.markup()


class _Drawn:
    """What becomes of a figure once it is drawn."""

    def __init__(self, title: str) -> None:
        self._title = title
        self.svg = ""

    def markup(self) -> Markup:
        """The SVG element, named for those who cannot see it."""
        text = re.sub(
            r' id="(?:figure|axes|patch|line2d|text|matplotlib|xtick|ytick|legend|LineCollection)[^"]*"', "", self.svg
        )
        for colour, variable in _COLOURS.items():
            text = text.replace(colour, variable)
        words = f'<svg role="img" aria-label="{escape(self._title)}"'
        return Markup(text[text.index("<svg") :].replace("<svg", words, 1))


@contextmanager
def _axes(title: str, rows: int, names: Sequence[str] | None) -> Iterator[tuple[Any, _Drawn]]:
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    salt = hashlib.sha256(f"{title}{names}".encode()).hexdigest()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt, "font.size": 10, "text.parse_math": False}):
        figure = Figure(figsize=(_WIDTH, _FRAME + _ROW * max(rows, 1)), layout="constrained")
        figure.patch.set_alpha(0)
        canvas, axes = FigureCanvasSVG(figure), figure.add_subplot()
        axes.patch.set_alpha(0)
        axes.tick_params(colors=_INK, length=3)
        axes.xaxis.label.set_color(_INK)
        axes.grid(axis="x" if names is not None else "both", color=_FAINT, linewidth=0.6, alpha=0.6)
        axes.set_axisbelow(True)
        for side, spine in axes.spines.items():
            spine.set_visible(side in ("bottom", "left"))
            spine.set_color(_FAINT)
        drawn = _Drawn(title)
        yield axes, drawn
        if names is not None:
            axes.set_yticks(range(len(names)), [_plain(name) for name in names])
            axes.set_ylim(len(names) - 0.4, -0.6)
        written = io.StringIO()
        canvas.print_figure(
            written, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
        )
        drawn.svg = written.getvalue()


def _plain(name: str) -> str:
    """A stranger's name as one line that a chart has room for, without what an SVG cannot hold."""
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in name)
    return shown if len(shown) <= 48 else f"{shown[:47]}…"
