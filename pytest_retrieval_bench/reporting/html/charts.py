"""Charts as static SVG whose colours are the page's, so that they follow its dark mode and print.

Drawn by matplotlib without its global state; equal figures give equal bytes.
"""

from __future__ import annotations

import hashlib
import io
import math
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from pytest_retrieval_bench.reporting.html.figures import Estimate
from pytest_retrieval_bench.text.visible import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.ticker import Locator

# Stand-ins that matplotlib knows as colours and no text holds; the page's variables take their places.
_INK, _FAINT, _ACCENT = "#0a0b01", "#0a0b02", "#0a0b03"
_SERIES = tuple(f"#0a0b1{number}" for number in range(1, 7))
_VARIABLES = {_INK: "--ink", _FAINT: "--faint", _ACCENT: "--accent"} | {
    colour: f"--series-{number}" for number, colour in enumerate(_SERIES, start=1)
}
_DASHES, _MARKS = ("-", "--", ":", "-."), "os^DvPX*"
_WIDTH_INCHES, _ROW_INCHES, _FRAME_INCHES, _CURVES_INCHES = 7.2, 0.34, 0.75, 3.8
_NAME_CHARS = 48
_MOST_MARKS = 40
_LEAST_MS = 1e-3
_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
_SETTINGS: dict[Any, Any] = {  # matplotlib's own type of keys lists them all
    "svg.fonttype": "none",
    "font.size": 10,
    "text.parse_math": False,
    "axes.edgecolor": _FAINT,
    "axes.labelcolor": _INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.axisbelow": True,
    "grid.color": _FAINT,
    "grid.linewidth": 0.6,
    "grid.alpha": 0.6,
    "text.color": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
}


def whiskers(title: str, estimates: Sequence[Estimate], *, bars: bool, zero: bool = False) -> Markup:
    """A row an estimate: its value, as a bar or a point, with its interval; `zero` draws the line of 0."""
    rows = range(len(estimates))
    values = [one.value for one in estimates]
    ends = [[max(0, one.value - one.low) for one in estimates], [max(0, one.high - one.value) for one in estimates]]

    def draw(axes: Axes) -> None:
        if bars:
            axes.barh(rows, values, height=0.62, color=_ACCENT, alpha=0.35)
            axes.set_xlim(0, 1)
        axes.errorbar(values, rows, xerr=ends, fmt="o", color=_INK, ecolor=_INK, capsize=3, markersize=4, linewidth=1)
        if zero:
            axes.axvline(0, color=_INK, linewidth=0.8)
        _name_rows(axes, [f"{_short(one.name)}  (n={one.n})" for one in estimates])

    return _drawn(title, _height(len(estimates)), draw)


def curves(
    title: str,
    lines: Mapping[str, Sequence[tuple[float, float]]],
    across: str,
    places: Mapping[float, str] | None = None,
) -> Markup:
    """A line an arm through points (x, share); lines differ by dashes and marks as well as by colour.

    `places` are the names of the only values on an axis of powers; without them it is linear.
    """

    def draw(axes: Axes) -> None:
        for number, (name, points) in enumerate(lines.items()):
            axes.plot(
                [x for x, _ in points],
                [share for _, share in points],
                linestyle=_DASHES[number % len(_DASHES)],
                marker=_MARKS[number % len(_MARKS)],
                markevery=max(1, len(points) // _MOST_MARKS),
                color=_SERIES[number % len(_SERIES)],
                markersize=4,
                linewidth=1.4,
                label=f" {_short(name)}",  # matplotlib leaves out what begins with an underscore
            )
        axes.set_ylim(0, 1)
        axes.set_xlabel(across)
        if places:
            _name_places(axes, places)
        else:
            axes.xaxis.set_major_locator(_steps(lines))
        axes.grid()
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=9)

    return _drawn(title, _CURVES_INCHES, draw)


def spreads(title: str, blocks: Mapping[str, Mapping[str, float]]) -> Markup:
    """A row a distribution in milliseconds, by powers of ten: shortest to longest, median, 95th percentile."""

    def draw(axes: Axes) -> None:
        axes.set_xscale("log")
        for row, block in enumerate(blocks.values()):
            least, median, high, most = (max(block[f"{name}_ms"], _LEAST_MS) for name in ("min", "p50", "p95", "max"))
            axes.plot([least, most], [row, row], color=_FAINT, linewidth=3)
            axes.plot([median], [row], "o", color=_INK, markersize=6)
            axes.plot([high], [row], "|", color=_INK, markersize=12, markeredgewidth=2)
        _whole_decades(axes)
        axes.set_xlabel("ms")
        _name_rows(axes, [f"{_short(name)}  (n={block['n']})" for name, block in blocks.items()])

    return _drawn(title, _height(len(blocks)), draw)


def _name_places(axes: Axes, places: Mapping[float, str]) -> None:
    from matplotlib.ticker import NullLocator

    axes.set_xscale("log", base=2)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(list(places), list(places.values()))


def _steps(lines: Mapping[str, Sequence[tuple[float, float]]]) -> Locator:
    """Round steps, of whole numbers where all are."""
    from matplotlib.ticker import MaxNLocator

    whole = all(float(x).is_integer() for points in lines.values() for x, _ in points)
    return MaxNLocator(integer=whole, steps=[1, 2, 5, 10])


def _whole_decades(axes: Axes) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    low, high = axes.get_xlim()
    axes.set_xlim(10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    """The rows by their names, the first on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(axis="x")


def _height(rows: int) -> float:
    return _FRAME_INCHES + _ROW_INCHES * rows


def _short(name: str) -> str:
    return visible(name, _NAME_CHARS)


def _drawn(title: str, height_inches: float, draw: Callable[[Axes], None]) -> Markup:
    """The SVG element, named for those who cannot see it."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    written = io.StringIO()
    with mpl.rc_context(), warnings.catch_warnings():
        # Names may hold letters that matplotlib's own font lacks; the page's fonts draw them.
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        mpl.rcdefaults()  # whatever the user's matplotlibrc says
        mpl.rcParams.update(_SETTINGS | {"svg.hashsalt": title})
        figure = Figure(figsize=(_WIDTH_INCHES, height_inches), layout="constrained")
        canvas, axes = FigureCanvasSVG(figure), figure.add_subplot()
        figure.patch.set_alpha(0)
        axes.patch.set_alpha(0)
        draw(axes)
        canvas.print_figure(written, format="svg", metadata=_NO_METADATA)
    return _element(title, written.getvalue())


def _element(title: str, document: str) -> Markup:
    """The root element of an SVG file, with the page's colours and with ids that no other chart has."""
    prefix = hashlib.sha256(title.encode()).hexdigest()[:8]
    text = re.sub(r'( id="|url\(#|xlink:href="#)', rf"\g<1>{prefix}-", document[document.index("<svg") :])
    for colour, variable in _VARIABLES.items():
        text = text.replace(colour, f"var({variable})")
    return Markup(text.replace("<svg", f'<svg role="img" aria-label="{escape(title)}"', 1))
