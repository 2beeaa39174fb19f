"""`fts5:…`: BM25 as SQLite has it, over files or pieces of them."""

from __future__ import annotations

import gc
import math
import re
import sqlite3
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.arms.floor.fts5 import FullTextSearch, match_expression, pieces
from pytest_retrieval_bench.arms.floor.settings import FullTextSettings
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.model import Answer, Query
from tests.memory_snapshot import MemorySnapshot

WORDS = ["cart", "price", "total", "deploy", "clock"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=8)


def asked(text: str, files: dict[str, str], name: str = "fts5:unicode61", **members: object) -> Answer:
    chosen = FullTextSettings.from_name(name)
    given = {key: members.get(key, getattr(chosen, key)) for key in ("tokenizer", "chunk_lines", "exclude", "depth")}
    arm = FullTextSearch(name, FullTextSettings(**given))  # type: ignore[arg-type]
    return arm.answer(Query({}, "", text), MemorySnapshot({path: body.encode() for path, body in files.items()}), 20)


def plain_bm25(words: list[str], texts: list[str]) -> dict[int, float]:
    """The sum over words of idf and saturated frequency, k1 1.2 and b 0.75, as the documentation of FTS5 has it."""
    counts = [Counter(re.findall(r"\w+", text)) for text in texts]
    mean = sum(map(len, (text.split() for text in texts))) / len(texts)
    scores: dict[int, float] = {}
    for word in words:
        holding = [number for number, count in enumerate(counts) if count[word]]
        idf = max(math.log((len(texts) - len(holding) + 0.5) / (len(holding) + 0.5)), 1e-6)
        for number in holding:
            frequency, length = counts[number][word], sum(counts[number].values())
            gain = frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / mean))
            scores[number] = scores.get(number, 0) + idf * gain
    return scores


@given(TEXTS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True))
@settings(deadline=None)
def test_scores_are_bm25_as_its_documentation_has_it(texts: list[str], words: list[str]) -> None:
    found = asked(" ".join(words), {f"{number}.py": text for number, text in enumerate(texts)})
    expected = plain_bm25(words, texts)
    assert found.scores is not None
    assert dict(zip(found.ranking, found.scores, strict=True)) == pytest.approx(
        {f"{number}.py": score for number, score in expected.items()}, rel=1e-9
    )
    assert list(found.scores) == sorted(found.scores, reverse=True)


def test_equal_files_stand_in_the_order_of_their_paths() -> None:
    found = asked("cart", {"b.py": "cart", "a.py": "cart", "c.py": "price", "d.py": "none"})
    assert list(found.ranking) == ["a.py", "b.py"]


def test_a_file_is_ranked_by_its_best_piece() -> None:
    long = "\n".join(["cart cart cart", *["nothing"] * 9])
    files = {"long.py": long, "short.py": "cart and price", **{f"{n}.py": "nothing" for n in range(5)}}
    assert next(iter(asked("cart", files, "fts5:unicode61:1").ranking)) == "long.py"
    assert next(iter(asked("cart", files).ranking)) == "short.py"
    assert len(asked("nothing", files, "fts5:unicode61:1").ranking) == 6


def test_pieces_put_together_are_the_text() -> None:
    text = "a\nb\r\nc\n\nd"
    assert pieces(text, 2) == ["a\nb\r\n", "c\n\n", "d"]
    assert (pieces(text, None), pieces("", None), pieces("", 3)) == ([text], [""], [])


def test_trigrams_find_a_word_inside_of_another_and_words_do_not() -> None:
    files = {"a.py": "recompute_cart_total()", "b.py": "cart total"}
    assert list(asked("cart_total", files, "fts5:trigram").ranking) == ["a.py"]
    assert sorted(asked("cart_total", files).ranking) == ["a.py", "b.py"]  # a phrase


@pytest.mark.parametrize("text", ['NEAR(a b, 2) AND "', "cart* -price", "body: cart ^total", '""', "{x y}:z", "ca\0rt"])
def test_no_query_is_read_as_a_command_to_the_search(text: str) -> None:
    assert asked(text, {"a.py": "nothing here"}).error is None


@pytest.mark.parametrize("text", ["", "?!", "is it so", "the and for", "12 345", "检索"])
def test_without_a_term_it_keeps_silent(text: str) -> None:
    assert match_expression(text) == ""
    assert asked(text, {"a.py": "the and for 345"}) == Answer()


def test_terms_are_lower_case_once_each_and_without_common_words() -> None:
    assert match_expression("The Cart, a cart of THE cart_total in élan x1y") == (
        '"cart" OR "cart_total" OR "lan" OR "x1y"'
    )


def test_what_is_excluded_is_neither_found_nor_counted() -> None:
    files = {"docs/a.rst": "cart", "a.py": "cart price", "b.py": "price", "c.py": "none"}
    found = asked("cart", files, exclude=("docs/**",))
    without = asked("cart", {path: text for path, text in files.items() if path != "docs/a.rst"})
    assert found == without
    assert list(found.ranking) == ["a.py"]


def test_binary_files_are_not_searched_and_the_depth_cuts() -> None:
    files = {"a.bin": "cart\0cart", **{f"{number}.py": "cart" for number in range(9)}, "x.py": "none"}
    assert len(asked("cart", files).ranking) == 9
    assert list(asked("cart", files, depth=4).ranking) == ["0.py", "1.py", "2.py", "3.py"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("fts5:", "fts5:: unknown tokenizer ''; known: unicode61, trigram"),
        ("fts5:trigramm", "did you mean 'trigram'?"),
        ("fts5:trigram:0", "it is not fts5:TOKENIZER or fts5:TOKENIZER:LINES"),
        ("fts5:trigram:4:5", "it is not fts5:TOKENIZER or fts5:TOKENIZER:LINES"),
    ],
)
def test_a_name_that_is_none_is_refused(name: str, words: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(words)):
        FullTextSettings.from_name(name)


def test_the_index_goes_with_its_snapshot() -> None:
    arm, snapshot = FullTextSearch("fts5:unicode61", FullTextSettings("unicode61")), MemorySnapshot({"a.py": b"cart"})
    arm.prepare(snapshot)
    database = arm._tables.of(snapshot).database
    assert database.execute("SELECT count(*) FROM texts").fetchone() == (1,)
    del snapshot
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        database.execute("SELECT 1")
