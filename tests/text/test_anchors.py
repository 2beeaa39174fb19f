"""PROTOCOL 3: anchors."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.text.anchors import anchor_bearing

CODE = ["go", "py", "rs", "tsx", "ts", "js", "java", "kt", "rb", "cs", "cpp", "c", "h"]
SUFFIXES = [*CODE, "md", "json", "yaml", "yml", "toml", "txt"]
LONG = "x" * 260  # no anchor of over 256 bytes counts
CLASSES = [
    r'"([^"\n]+)"',  # empty quotes are no anchor: the second one may open a run
    r"([A-Za-z][A-Za-z0-9+.-]*://[^\s\"'<>()`]+)",
    r"([A-Za-z0-9_./-]+\.[A-Za-z0-9]+:[0-9]+)",
    r"([A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)+)",
    r"([a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)+)",
]
PIECES = st.sampled_from(
    ["a", "b1", "Foo", "log", "level", ".", ":", "::", "://", "http", ".go", ":42", '"', "'", "\n", " ", "_", "-", "/"]
)


def bearing_restated(text: str) -> bool:
    """The five classes as plain searches over a text that is no JSON."""
    for number, pattern in enumerate(CLASSES):
        for anchor in re.findall(pattern, text, re.ASCII):
            size_fits = 4 <= len(anchor.encode()) <= 256 and re.search("[A-Za-z0-9_]{3}", anchor)
            if size_fits and not (number == 4 and anchor.split(".")[-1] in SUFFIXES):
                return True
        text = re.sub(pattern, lambda match: " " * len(match[0]), text, flags=re.ASCII)
    return False


@pytest.mark.parametrize(
    "text",
    [
        "server.go:42",
        "http://x",
        "log.level",
        "A::Bcd",
        'say "hello" now',
        "v1.alpha.2",
        "9abc::d",
        "see x.conf.local",
        'a "foo.go" b',
        "x://abc.go",
        '""aaaa"',
    ],
)
def test_a_text_with_an_anchor_bears_one(text: str) -> None:
    assert anchor_bearing(text) is True


@pytest.mark.parametrize(
    "text",
    ["a.b:1", "A::B", "foo.go", "v1.2.3", "e.g.", 'say "abc" now', "http:// x", "plain words", "", 'a "bcd\ne"', '""'],
)
def test_a_text_without_an_anchor_bears_none(text: str) -> None:
    assert anchor_bearing(text) is False


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_dotted_words_that_end_like_a_file_do_not_count(suffix: str) -> None:
    assert anchor_bearing(f"see config.{suffix} there") is False
    assert anchor_bearing(f"see config.{suffix}.value there") is True
    assert anchor_bearing(f"see config.{suffix}x-y there") is True


@pytest.mark.parametrize(
    ("text", "bears"),
    [
        ("see log." + "x" * 252, True),
        ("see log." + "x" * 253, False),
        ('say "\xe9ab" now', False),
        ('say "\xe9abc" now', True),
        ('say "\xe9\xe9\xe9" now', False),
    ],
    ids=["256 bytes", "257 bytes", "four bytes, two word characters", "five bytes", "no word character"],
)
def test_an_anchor_has_4_to_256_bytes_and_three_word_characters_in_a_row(text: str, bears: bool) -> None:
    assert anchor_bearing(text) is bears


@pytest.mark.parametrize(
    "text",
    [
        f'say "{"log.level " * 30}" now',
        f"see http://{LONG}/log.level now",
        f"see log.level/{LONG}.go:12 now",
        "see log.ab::c now",
        'see log"x".level now',
    ],
    ids=["quoted", "URL", "frame", "joined identifiers", "its place stays open"],
)
def test_what_a_class_matched_is_hidden_from_the_next_even_if_it_does_not_count(text: str) -> None:
    assert anchor_bearing(text) is False


@pytest.mark.parametrize(
    ("value", "bears"),
    [
        ({"log.level": 1}, False),
        ({"key": "log.level"}, True),
        ({"key": [{"inner": ["log.level"]}]}, True),
        ({"a": 'x "log', "b": 'level" y'}, False),
        (["log", "level"], False),
        ("log.level", True),
        ("abcd", False),
        (1234.5678, False),
    ],
)
def test_of_json_only_the_string_values_count_line_by_line(value: object, bears: bool) -> None:
    assert anchor_bearing(json.dumps(value)) is bears


def test_a_text_that_is_almost_json_counts_as_it_stands() -> None:
    assert anchor_bearing('{"log.level": NaN}') is True
    assert anchor_bearing('{"log.level": 1') is True


@pytest.mark.parametrize(
    ("text", "bears"),
    [
        ("log.level" + " " * 31_991, True),
        ("log.level" + " " * 31_992, False),
        ("log.level" + "\xe9" * 15_995, True),
        ("log.level" + "\xe9" * 15_996, False),
    ],
    ids=["32,000 bytes", "32,001 bytes", "31,999 bytes of two-byte characters", "32,001 bytes of them"],
)
def test_a_text_of_over_32_000_bytes_bears_none(text: str, bears: bool) -> None:
    assert anchor_bearing(text) is bears


@given(st.lists(PIECES, max_size=40).map("".join))
@settings(deadline=None, max_examples=300)
def test_anchors_are_what_the_protocol_says_of_any_text(text: str) -> None:
    # One value of a JSON object, so that the text itself is never taken for JSON.
    assert anchor_bearing(json.dumps({"q": text}, ensure_ascii=False)) is bearing_restated(text)


@pytest.mark.parametrize("piece", ["a", "a.", "a:", "a::", "a://", "/.a", '"', "-", "a.a:", "_"])
def test_a_run_of_32_000_characters_is_searched_and_hides_nothing_behind_it(piece: str) -> None:
    run = " " + piece * (31_980 // len(piece))
    assert anchor_bearing(run) is False
    assert anchor_bearing(f"{run} log.level") is True


def test_a_lone_surrogate_in_json_reads_as_a_replacement_character() -> None:
    assert anchor_bearing(r'["say \"\ud800abcd\" now"]') is True


@pytest.mark.parametrize("depth", [900, 1_200, 5_000, 15_900])
def test_nesting_at_any_depth_is_searched(depth: int) -> None:
    try:
        bears: object = anchor_bearing("[" * depth + '"log.level"' + "]" * depth)
    except RecursionError as error:  # pytest takes minutes over the traceback
        bears = type(error)
    assert bears is True
