"""A section as a question: what a reader sees of it, without where the answer is."""

from __future__ import annotations

import re
from collections.abc import Callable

from pytest_retrieval_bench.builders.docs.markup.section import Section
from pytest_retrieval_bench.builders.docs.markup.targets import last_part

MIN_CHARACTERS, MAX_CHARACTERS = 120, 1_500
MIN_SHORT_CHARACTERS, MAX_SHORT_CHARACTERS = 25, 200

_QUALIFIED = re.compile(r"[^\W\d]\w*(?:(?:\.|::)[^\W\d]\w*)+")
_SENTENCE_END = re.compile(r"(?<=[a-z0-9)\]])[.!?](?=\s|$)")


def question_of(section: Section, names_code: Callable[[str], bool]) -> str:
    """The text of a section, at most 1,500 characters of whole words.

    Of a dotted name for which `names_code` is true the last part is left.
    """
    heading = section.heading.text
    texts = [heading if heading.endswith((".", "?", "!", ":")) else f"{heading}."]
    texts += [block.text for block in section.blocks if block.text]
    return _cut(" ".join(_unqualified(text, names_code) for text in texts))


def shortened(question: str) -> str | None:
    """The first sentences of a question, 25 to 200 characters; None where none ends there."""
    ends = [match.end() for match in _SENTENCE_END.finditer(question[: MAX_SHORT_CHARACTERS + 1])]
    fitting = [end for end in ends if MIN_SHORT_CHARACTERS <= end <= MAX_SHORT_CHARACTERS]
    if fitting:
        return question[: fitting[-1]]
    return question if len(question) <= MAX_SHORT_CHARACTERS else None


def _unqualified(text: str, names_code: Callable[[str], bool]) -> str:
    def replacement(match: re.Match[str]) -> str:
        name = match[0].replace("::", ".")
        return last_part(name) if names_code(name) else match[0]

    return _QUALIFIED.sub(replacement, text)


def _cut(text: str) -> str:
    if len(text) <= MAX_CHARACTERS:
        return text
    whole, _, _ = text[: MAX_CHARACTERS + 1].rpartition(" ")
    return whole or text[:MAX_CHARACTERS]
