"""Numbers in a Markdown file that name the figure they quote, and whether they are that figure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it.token import Token

FORM = "0.868<!-- rb: NAME.json arms.ARM.all.hit@k -->"
_COMMENT = re.compile(r"<!--\s*rb:(.*?)-->", re.DOTALL)
_REFERENCE = re.compile(r"\s*(\S.*?\.json)\s+(\S.*?)\s*", re.DOTALL)
_MINUS = "\u2212"
# A hyphen behind a digit joins two numbers.
_NUMBER = re.compile(rf"((?<![\w.])[-+{_MINUS}])?(?<![\w.,])(\d{{1,3}}(?:,\d{{3}})+|\d+)(\.\d+)?(\s?%)?$")


@dataclass(frozen=True, slots=True)
class Quoted:
    """A number as it is printed, and the figure that its comment names; an empty text where one of them is missing."""

    line: int
    number: str
    artefact: str
    path: str


def quoted_figures(text: str) -> Iterator[Quoted]:
    """The marked numbers of a Markdown text, in order; what stands in code blocks is no marker."""
    from markdown_it import MarkdownIt  # an extra

    for token in MarkdownIt("commonmark").enable("table").parse(text):
        line = (token.map or [0])[0] + 1
        if token.type == "html_block":
            for comment in _COMMENT.finditer(token.content):
                yield _quoted(line + token.content.count("\n", 0, comment.start()), "", comment)
        elif token.type == "inline":
            yield from _of_line(token.children or (), line)


def disagreement(quoted: Quoted, artefacts: Mapping[str, Mapping[str, Any]]) -> str | None:
    """What is wrong with a quoted number, in words; None where it is the figure, rounded to the digits printed.

    A number with `%` is a hundred times the figure.
    """
    if not quoted.path:
        return f"this comment names no figure; write {FORM}"
    place = f"{quoted.artefact} {quoted.path}"
    match = _NUMBER.fullmatch(quoted.number)
    if match is None:
        return f"there is no number before the comment on {place}; write {FORM}"
    if quoted.artefact not in artefacts:
        return f"{quoted.number}: there is no artefact {quoted.artefact}"
    found = list(_at(artefacts[quoted.artefact], quoted.path))
    if len(found) != 1:
        return f"{quoted.number}: {'nothing' if not found else 'more than one figure'} is at {place}"
    if isinstance(found[0], bool) or not isinstance(found[0], int | float):
        return f"{quoted.number}: what is at {place} is no number"
    return None if _is_rounded(match, found[0]) else f"{quoted.number} is not {found[0]!r} ({place})"


def _of_line(children: Sequence[Token], line: int) -> Iterator[Quoted]:
    before = ""
    for child in children:
        comment = _COMMENT.fullmatch(child.content) if child.type == "html_inline" else None
        if comment is not None:
            number = _NUMBER.search(before)
            yield _quoted(line, "" if number is None else number[0], comment)
        ends_line = child.type in ("softbreak", "hardbreak")
        line += ends_line or child.content.count("\n")
        before += "\n" if ends_line else child.content


def _quoted(line: int, number: str, comment: re.Match[str]) -> Quoted:
    reference = _REFERENCE.fullmatch(comment[1])
    return Quoted(line, number, *(("", "") if reference is None else (reference[1], reference[2])))


def _at(value: Any, path: str) -> Iterator[Any]:
    """Every value that the path can mean: names are joined by points, and may hold points themselves."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        if path == str(name):
            yield member
        elif path.startswith(f"{name}."):
            yield from _at(member, path[len(str(name)) + 1 :])


def _is_rounded(number: re.Match[str], value: float) -> bool:
    sign, whole, fraction, percent = number.groups(default="")
    printed = Decimal(f"{sign.replace(_MINUS, '-')}{whole.replace(',', '')}{fraction}")
    exact = Decimal(repr(value)) * (100 if percent else 1)
    return abs(printed - exact) <= Decimal(1).scaleb(-max(0, len(fraction) - 1)) / 2
