"""The headings behind labels, which a reader sees where a document only has the label."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LABEL = re.compile(r"\.\. _([^:]{1,200}):|\(([^()=]{1,200})\)=")
_UNDERLINE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}")
_MARKDOWN_HEADING = re.compile(r"#{1,6} +(\S.*)")
_MARKUP = re.compile(r":[\w:.+-]{1,40}:(?=`)|\{[\w:.+-]{1,40}\}(?=`)|[`*]")


def titles_of(text: str) -> Iterator[tuple[str, str]]:
    """The labels of a document that stand before a heading, each with the heading."""
    lines = [line.rstrip() for line in text.split("\n")]
    waiting: list[str] = []
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        label = _LABEL.fullmatch(line)
        markdown = _MARKDOWN_HEADING.fullmatch(line)
        if label:
            waiting.append((label[1] or label[2]).strip("`").lower())
        elif waiting and line and not _UNDERLINE.fullmatch(line):
            if markdown or _UNDERLINE.fullmatch(below):
                heading = _MARKUP.sub("", markdown[1] if markdown else line).strip()
                yield from ((one, heading) for one in waiting)
            waiting = []
