"""Command templates: split once, filled inside of single arguments."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.arms.command.definition import PLACEHOLDERS
from pytest_retrieval_bench.arms.command.template import Template
from pytest_retrieval_bench.errors import SettingsError


def filled(text: str, **values: str) -> list[str]:
    return Template.parse(text, PLACEHOLDERS, "here").fill(values)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("find --top {limit} {root}", ["find", "--top", "20", "/copy"]),
        ("find --root={root}/src", ["find", "--root=/copy/src"]),
        ("find '{query}' \"{root} {limit}\"", ["find", "two words; rm -rf /", "/copy 20"]),
        ("find a\\ b ''", ["find", "a b", ""]),
        ("jq {{.limit={limit}}}", ["jq", "{.limit=20}"]),
        ("jq {{{limit}}}", ["jq", "{20}"]),
        ("find\n  {limit}\n", ["find", "20"]),
    ],
)
def test_a_template_becomes_arguments(text: str, arguments: list[str]) -> None:
    assert filled(text, limit="20", root="/copy", query="two words; rm -rf /") == arguments


@given(st.text())
def test_a_value_never_becomes_more_than_the_argument_it_stands_in(value: str) -> None:
    assert filled("find -q={query} {query} end", query=value) == ["find", f"-q={value}", value, "end"]


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1)))
def test_arguments_that_are_quoted_and_have_their_braces_doubled_come_back(arguments: list[str]) -> None:
    text = shlex.join(["find", *arguments]).replace("{", "{{").replace("}", "}}")
    assert filled(text) == ["find", *arguments]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("find {qeury}", "here: unknown placeholder 'qeury'; did you mean 'query'? known: root, query, "),
        ("find {}", "here: unknown placeholder ''; known: root"),
        ("find { root }", "here: '{' has a single {; write {{ and }} for braces"),
        ("find '{root", 'here: "find \'{root" cannot be split into arguments: No closing quotation'),
        ("find \\", "here: 'find \\\\' cannot be split into arguments: No escaped character"),
        ("", "here: the command is empty; give a program and its arguments"),
        ("  \n", "here: the command is empty"),
        ("'' {root}", "here: the command is empty"),
        ("{root}/bin/find", "here: the program '{root}/bin/find' must be named without placeholders"),
        ("find {root", "here: '{root' has a single {"),
        ("find root}}}", "here: 'root}}}' has a single }"),
    ],
)
def test_what_is_no_template_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(SettingsError) as refused:
        filled(text)
    assert str(refused.value).startswith(words)


def test_a_command_that_has_no_placeholders_says_so() -> None:
    with pytest.raises(SettingsError, match=r"version: \{root\} cannot stand here"):
        Template.parse("find --version {root}", (), "version")


def test_the_program_may_have_braces() -> None:
    assert Template.parse("./{{odd}} {root}", PLACEHOLDERS, "here").program == "./{odd}"
