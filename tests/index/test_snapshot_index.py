"""PROTOCOL 3 and 4: what lexical arms ask of a snapshot, against counting in the texts themselves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.index.restated import (
    COMPOUNDS,
    PIECES,
    answers,
    by_path,
    index_of,
    occurring,
    readable,
    right_answers,
    substring,
    token,
    whole_word,
    whole_words,
)

PATHS = ["foo.py", "Bar/fooBar.py", "k", "\u212a/i", "src/FOO_9.go", "x\ny", "a-b/\u0130", ".git-x/foo"]
CONTENTS = st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join) | st.binary(max_size=20)
FILES = st.dictionaries(st.sampled_from(PATHS), CONTENTS, max_size=6)


@given(FILES)
@settings(deadline=None)
def test_an_index_answers_as_counting_in_the_texts_does(files: dict[str, bytes]) -> None:
    assert answers(index_of(files)) == right_answers(files)


@given(FILES)
@settings(deadline=None)
def test_a_stem_with_hyphens_is_counted_as_a_whole_word(files: dict[str, bytes]) -> None:
    index = index_of(files)
    assert by_path(index, index.whole_words(COMPOUNDS)) == [
        occurring({path: whole_words(text, word) for path, text in readable(files).items()}) for word in COMPOUNDS
    ]


@given(st.sampled_from(PIECES), st.sampled_from(PIECES), st.sampled_from(PIECES))
@settings(deadline=None, max_examples=50)
def test_files_that_share_a_content_are_each_counted(first: bytes, second: bytes, third: bytes) -> None:
    content = first + second + third
    files = dict.fromkeys(PATHS, content)
    assert answers(index_of(files)) == right_answers(files)


@pytest.mark.parametrize(
    ("content", "term", "count"),
    [
        (b"Foofoo xfoox", "foo", 3),
        (b"aaaaa", "aa", 2),
        (b"fo-o fo_o fo\xffo", "foo", 0),
        ("\u212aey mon\u212aey".encode(), "key", 2),
        ("\u0130nfo".encode(), "info", 1),
        ("INF\u0130".encode(), "infi", 1),
        ("\u0131nfo \xcfnfo".encode(), "info", 0),
        ("K\u212aK".encode(), "kk", 1),
    ],
)
def test_a_term_is_counted_in_the_lower_cased_text_without_overlap(content: bytes, term: str, count: int) -> None:
    assert substring(index_of({"a": content}), term) == ({"a": count} if count else {})


@pytest.mark.parametrize(
    ("content", "word", "count"),
    [
        (b"fooBar fooBar2 _fooBar xfooBar fooBar.", "fooBar", 2),
        (b"fooBar-x x-fooBar", "fooBar", 2),
        (b"foobar FOOBAR", "fooBar", 0),
        ("\xe9fooBar\xe9".encode(), "fooBar", 1),
        ("\u212afooBar".encode(), "fooBar", 1),
        (b"\xfffooBar\xe2\x84", "fooBar", 1),
        (b"my-file-2 xmy-file my-file_ x-my-file", "my-file", 2),
        pytest.param(b"my-file my-file-2", "my-file", 2),
        (b"a-a-a-a", "a-a", 2),
        (b"aa-a-a", "a-a", 1),
        (b"my-\nfile", "my-file", 0),
    ],
)
def test_a_whole_word_has_no_word_character_beside_it(content: bytes, word: str, count: int) -> None:
    assert whole_word(index_of({"a": content}), word) == ({"a": count} if count else {})


def test_no_terms_have_no_hits() -> None:
    index = index_of({"a": b"foo"})
    assert by_path(index, index.whole_words([])) == []
    assert by_path(index, index.tokens.hits([])) == []


def test_no_terms_are_found_nowhere() -> None:
    index = index_of({"a": b"foo"})
    assert by_path(index, index.substrings([])) == []


def test_hits_of_the_same_terms_are_added_and_shared_term_by_term() -> None:
    index = index_of({"foo": b"foo bar", "b": b"foo foo"})
    terms = [b"foo", b"bar", b"absent"]
    in_text, in_path = index.tokens.hits(terms), index.path_tokens.hits(terms)
    assert by_path(index, in_text + in_path) == [{"foo": 2, "b": 2}, {"foo": 1}, {}]
    assert [set(files) for files in by_path(index, in_text.shared(in_path))] == [{"foo"}, set(), set()]


@pytest.mark.parametrize("files", [{}, {"a": b"\0"}, {"a": b""}, {"a": b"", "b": b" \n"}, {"a": b"\xff\xfe-"}])
def test_a_snapshot_without_words_has_no_hits(files: dict[str, bytes]) -> None:
    assert answers(index_of(files)) == right_answers(files)


@pytest.mark.parametrize(
    ("path", "term", "found"),
    [("src/fooBar.py", "foo", True), ("src/foobar.py", "foo", False), ("Foo_x/y", "foo", True), ("f-oo", "foo", False)],
)
def test_a_term_is_in_a_path_as_a_whole_token(path: str, term: str, found: bool) -> None:
    index = index_of({path: b""})
    assert by_path(index, index.path_tokens.hits([term.encode()])) == [{path: 1} if found else {}]


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("src/FooBar.py", "foobar", True),
        ("src/foo_bar.py", "foobar", False),
        ("mon\u212aey", "monkey", True),
        ("\u0130d", "id", True),
    ],
)
def test_an_identifier_is_in_a_path_as_part_of_its_lower_cased_text(path: str, text: str, found: bool) -> None:
    assert bool(index_of({path: b""}).paths_with([text])[0].tolist()) is found


def test_a_text_twice_in_a_path_is_found_twice_and_never_across_two_paths() -> None:
    index = index_of({"foo/foo": b"", "fo": b"", "o": b""})
    assert [index.paths[number] for number in index.paths_with(["foo"])[0]] == ["foo/foo", "foo/foo"]


def test_a_run_of_300_000_characters_is_searched() -> None:
    index = index_of({"a": b"a" * 300_000, "b": b"aB-" * 100_000})
    assert substring(index, "aa") == {"a": 150_000}
    assert token(index, "b") == {"b": 100_000}
    assert whole_word(index, "aB-aB") == {"b": 50_000}
