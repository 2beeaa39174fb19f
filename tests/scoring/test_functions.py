"""Functions count as found where an entry of the answer shares a line with them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.model import Answer, Chunk
from pytest_retrieval_bench.scoring.functions import FUNCTION_MEASURES, function_measures

TOTAL, ADD = Chunk("cart.py", (5, 9), symbol="Cart.total"), Chunk("cart.py", (11, 12), symbol="Cart.add")
LINES = st.tuples(st.integers(1, 20), st.integers(0, 5)).map(lambda pair: (pair[0], pair[0] + pair[1]))
ENTRIES = st.lists(st.tuples(st.sampled_from(["cart.py", "a.py"]), st.none() | LINES), max_size=30, unique=True)


def test_the_first_entry_that_shares_a_line_finds_a_function() -> None:
    answer = Answer(["a.py", "cart.py", "cart.py"], lines=[(5, 9), (9, 10), (1, 4)])
    assert function_measures(answer, [TOTAL, ADD]) == {
        "function_mrr@10": 0.5, "function_recall@1": 0, "function_recall@5": 0.5, "function_recall@10": 0.5,
        "function_recall@20": 0.5, "function_acc@1": 0, "function_acc@5": 0, "function_acc@10": 0, "function_acc@20": 0,
    }  # fmt: skip


def test_chunks_are_entries_and_one_may_find_two_functions() -> None:
    answer = Answer(["cart.py"], chunks=[Chunk("cart.py", (8, 11))])
    assert set(function_measures(answer, [TOTAL, ADD]).values()) == {1}


def test_a_file_without_lines_finds_no_function() -> None:
    for answer in (Answer(["cart.py"]), Answer(["cart.py"], lines=[None]), Answer()):
        assert set(function_measures(answer, [TOTAL]).values()) == {0}


@given(ENTRIES)
def test_accuracy_is_recall_of_one_and_nothing_falls_with_depth(
    entries: list[tuple[str, tuple[int, int] | None]],
) -> None:
    answer = Answer([path for path, _ in entries], lines=[lines for _, lines in entries])
    found = function_measures(answer, [TOTAL, ADD])
    assert list(found) == list(FUNCTION_MEASURES)
    recalls = [found[f"function_recall@{depth}"] for depth in (1, 5, 10, 20)]
    assert recalls == sorted(recalls)
    assert [found[f"function_acc@{depth}"] for depth in (1, 5, 10, 20)] == [recall == 1 for recall in recalls]
