"""ARB 1.2: the lines that begin a symbol, against the nine patterns as regular expressions."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.builders.symbols import symbol_of

NAME, JS_NAME = r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)", r"(?P<name>[A-Za-z_$][A-Za-z0-9_$]*)"
MODIFIERS = "public|private|protected|static|final|abstract|synchronized"
PATTERNS = [
    rf"\s*(?:async\s+)?def\s+{NAME}\s*\(",
    rf"\s*class\s+{NAME}\b",
    rf"\s*(?:export\s+)?(?:async\s+)?function\s+{JS_NAME}\s*\(",
    rf"\s*(?:export\s+)?(?:const|let|var)\s+{JS_NAME}\s*=\s*(?:async\s*)?\(?",
    rf"\s*(?:export\s+)?class\s+{JS_NAME}\b",
    rf"\s*func\s+(?:\([^)]*\)\s*)?{NAME}\s*\(",
    rf"\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+{NAME}\s*\(",
    rf"\s*(?:{MODIFIERS}|\s)+[\w<>\[\], ?]+\s+{NAME}\s*\(",
    rf"\s*(?:public\s+)?(?:class|interface|enum|record)\s+{NAME}\b",
]
PIECES = [
    *(" ", "  ", "\t", "\xa0", "\x1f", "(", ")", "=", "<", ">", "[", "]", ",", "?", "$", ".", "-", "{"),
    *("a", "Foo", "_x9", "9", "\xe9", "\u0301", "$x"),
    *("async", "def", "class", "export", "function", "const", "let", "var", "func", "pub", "fn"),
    *("interface", "enum", "record", *MODIFIERS.split("|")),
]


def by_patterns(line: str) -> str | None:
    matches = (re.match(pattern, line) for pattern in PATTERNS)
    return next((match["name"] for match in matches if match), None)


def shape(*parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map("".join)


ANYTHING = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
SPACE = st.sampled_from(["", " ", "  ", "   ", "\t", " \t", "\t ", "\xa0", "\xa0 "])
HEAD = st.lists(st.sampled_from([" ", "\t", *MODIFIERS.split("|")]), max_size=4).map("".join)
TYPE = st.lists(st.sampled_from(["a", "\xe9", "<", "[", ",", "?", " ", "static", ".", "-"]), max_size=4).map("".join)
METHOD = shape(HEAD, TYPE, SPACE, st.sampled_from(["f", "final", "F9", "9", "", "\xe9"]), SPACE, st.just("("))


@given(ANYTHING | METHOD | shape(ANYTHING, METHOD))
@settings(max_examples=3000, deadline=None)
def test_a_line_gives_what_the_patterns_give(line: str) -> None:
    assert symbol_of(line) == by_patterns(line)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("    foo(x)", "foo"),
        ("   foo(x)", "foo"),
        ("  foo(x)", None),
        ("\tfoo(x)", None),
        ("\t\t\tfoo(x)", None),
        ("\treturn foo(x)", "foo"),
        ("return foo(x)", None),
        ("    if (a)", "if"),
        ("    } else if (x)", None),
        ("    self.foo(x)", None),
        ("    x = foo(x)", None),
        ("    await client.get(x)", None),
        ("pub fn foo<T>(x)", None),
        ("  public Foo(int x) {", "Foo"),
        ("public Foo(int x) {", None),
        ("public  Foo(int x) {", "Foo"),
        ("public static void main(String[] args) {", "main"),
        ("async def f(", "f"),
        ("class Foo$Bar {", "Foo"),
        ("export class $Foo {", "$Foo"),
        ("const f = async (x) =>", "f"),
        ("func (s *Server) Run(ctx", "Run"),
        ("pub(crate) async fn run(", "run"),
        ("public interface Shop {", "Shop"),
        ("record Point(int x)", "Point"),
        ("", None),
    ],
)
def test_the_examples_of_the_format_hold(line: str, name: str | None) -> None:
    assert (symbol_of(line), by_patterns(line)) == (name, name)


@pytest.mark.parametrize(
    ("start", "repeated", "end"),
    [
        ("", " ", ""),
        ("", " ", "foo"),
        (" ", "a ", "."),
        (" a.", " ", "foo("),
        ("", "public ", "-("),
        ("", "static", " .foo("),
        ("\t", "a\t", "foo("),
        ("", "func (", ""),
        ("func ", "(", ""),
        ("func ()", " ", "-"),
        ("class ", "$", ""),
        ("class a", "\xe9", ""),
        ("def ", "a", ""),
        ("async", " ", "-"),
        ("export async", " ", "-"),
        ("pub(", "pub(", ""),
        ("pub()", " ", "-"),
        ("const a", " ", ""),
        ("public", " ", "class"),
    ],
)
def test_a_line_of_two_megabytes_takes_no_time(start: str, repeated: str, end: str) -> None:
    line = start + repeated * (2 * 2**20 // len(repeated)) + end
    started = time.monotonic()
    assert symbol_of(line) is None
    assert time.monotonic() - started < 5
