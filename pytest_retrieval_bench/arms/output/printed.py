"""What a retriever printed, as a list of JSON values: paths, or objects that hold one."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Final, Literal, get_args

from pytest_retrieval_bench.model import Json
from pytest_retrieval_bench.text.strict_json import loads

Format = Literal["auto", "lines", "nul", "json", "jsonl"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)


def recognised(text: str, is_file: Callable[[str], bool]) -> Format:
    """How a text that is not blank is written.

    Lines, if the first of them is a file; JSON Lines, if the first of several is JSON by itself; JSON, if it begins
    like it; else lines.
    """
    first, *more = [line.strip() for line in text.split("\n") if line.strip()]
    if (first[0] not in '[{"' and first != "null") or is_file(first):
        return "lines"
    if not more:
        return "json"
    try:
        loads(first)
    except (ValueError, RecursionError):
        return "json"
    return "jsonl"


def rows(text: str) -> list[Json]:
    """The values of JSON Lines; blank lines do not count.

    Raises ValueError, naming the line.
    """
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            found += [loads(line)] if line.strip() else []
        except ValueError as error:
            raise ValueError(f"line {number} is not JSON: {error}") from error
    return found


def lines(text: str, files: Set[str]) -> list[Json]:
    """One path a line; a carriage return belongs to the line's end unless a file's name has it."""
    found = (line if line in files else line.removesuffix("\r") for line in text.split("\n"))
    return [line for line in found if line.strip()]
