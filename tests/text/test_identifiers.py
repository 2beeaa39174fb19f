"""PROTOCOL 3: query identifiers."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.model import Json
from pytest_retrieval_bench.text.identifiers import query_identifiers, string_values

EXTENSIONS = ["go", "py", "rs", "ts", "tsx", "js", "java", "kt", "rb", "cs", "cpp", "c", "h"]
PIECES = st.sampled_from(
    ["a", "B", "foo", "Bar", "9", "_", "-", ".", " ", "\n", "\xe9", "long-er", *(f".{name}" for name in EXTENSIONS)]
)


def identifiers_restated(text: str) -> list[str]:
    """The two rules as plain searches."""
    words = re.findall("[A-Za-z_][A-Za-z0-9_]*", text)
    found = {word for word in words if len(word) >= 4 and ("_" in word.strip("_") or re.search("[a-z][A-Z]", word))}
    names = re.findall(rf"([A-Za-z0-9_-]+)\.(?:{'|'.join(EXTENSIONS)})\b", text, re.ASCII)
    stems = [stem for stem in names if len(stem) >= 4]
    return sorted(found.union(stems))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("fooBar", ["fooBar"]),
        ("foo_bar", ["foo_bar"]),
        ("9fooBar", ["fooBar"]),
        ("\xfcnder_score", ["nder_score"]),
        ("fooB", ["fooB"]),
        ("_a_b", ["_a_b"]),
        ("__init__", []),
        ("_trimmed_", []),
        ("a_b", []),
        ("aBc", []),
        ("HTTPServer", []),
        ("plain Words", []),
        ("foo2Bar", []),
        ("Zeta_a alpha_b Zeta_a", ["Zeta_a", "alpha_b"]),
    ],
)
def test_a_word_counts_with_an_inner_underscore_or_a_camel_case_boundary(text: str, found: list[str]) -> None:
    assert query_identifiers({"q": text}) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("src/server.go:12", ["server"]),
        ("my-file.py", ["my-file"]),
        ("2024-plan.rs.", ["2024-plan"]),
        ("foo.py", []),
        ("widget.pyc", []),
        ("widget.go2", []),
        ("widget.go_", []),
        ("widget.GO", []),
        ("widget.md", []),
        ("widget.py\xe9", ["widget"]),
        ("\xe9tude.py", ["tude"]),
        ("test_x.rb", ["test_x"]),
    ],
)
def test_the_stem_of_a_code_file_name_counts(text: str, found: list[str]) -> None:
    assert query_identifiers({"q": text}) == found


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_each_code_extension_marks_a_file_name(extension: str) -> None:
    assert query_identifiers({"q": f"see widget.{extension}"}) == ["widget"]


def test_identifiers_come_from_values_alone_nested_ones_too() -> None:
    fields: Json = {"key_name": ["one_two", {"inner_key": "three_four", "n": 5}], "z": None, "y": True}
    assert query_identifiers(fields) == ["one_two", "three_four"]


def test_string_values_come_by_sorted_key_and_in_list_order() -> None:
    assert list(string_values({"b": ["2", "1"], "a": {"d": "4", "c": "3"}, "e": 5})) == ["3", "4", "2", "1"]


@given(st.lists(PIECES, max_size=30).map("".join))
@settings(deadline=None)
def test_identifiers_are_what_the_protocol_says_of_any_text(text: str) -> None:
    assert query_identifiers({"q": text}) == identifiers_restated(text)


@given(st.lists(st.lists(PIECES, max_size=6).map("".join)))
@settings(deadline=None)
def test_identifiers_do_not_reach_across_values(texts: list[str]) -> None:
    alone = {identifier for text in texts for identifier in identifiers_restated(text)}
    assert query_identifiers({"q": list(texts)}) == sorted(alone)


@pytest.mark.parametrize(
    ("text", "count"),
    [("a" * 300_000, 0), ("a-" * 150_000 + ".py", 1), ("_" * 300_000, 0), ("aB" * 150_000, 1), ("." * 300_000, 0)],
    ids=["letters", "hyphens before an extension", "underscores", "camel case", "dots"],
)
def test_a_run_of_300_000_characters_is_searched(text: str, count: int) -> None:
    assert len(query_identifiers({"q": text})) == count
