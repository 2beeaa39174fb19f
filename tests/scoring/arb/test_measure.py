"""What the metric set keeps of an answer, and what stands for chunks where an arm ranks files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_retrieval_bench.model import Annotations, Answer, Chunk, Span
from pytest_retrieval_bench.scoring.arb.measure import measure
from pytest_retrieval_bench.scoring.arb.packing import chunks_of, packed
from tests.scoring.samples import sample

TEXTS = {"a.py": "one\ntwo\nthree", "b.py": ""}


def test_given_files_stay_and_nothing_is_cut() -> None:
    deep = [f"{number}.py" for number in range(99)]
    found: Any = measure(sample("gold.py", given=("0.py",)), Answer([*deep, "gold.py"]), TEXTS.get)
    assert found["gold_ranks"] == {"gold.py": 100}
    assert found["values"]["MRR"] == 0.01


def test_only_the_measures_that_were_asked_for_are_kept() -> None:
    found: Any = measure(sample("a.py"), Answer(["a.py"]), TEXTS.get, ["MRR", "BCY@8k"])
    assert found["values"] == {"MRR": 1, "BCY@8k": 1}


def test_no_file_is_read_for_measures_that_need_none() -> None:
    def unread(path: str) -> str:
        raise AssertionError(path)

    assert measure(sample("a.py"), Answer(["a.py"]), unread, ["MRR"])["values"] == {"MRR": 1}


def test_the_confidence_is_the_first_score_given_files_included() -> None:
    found = measure(sample("a.py", given=("b.py",)), Answer(["b.py", "a.py"], [7.5, 3]), TEXTS.get)
    assert found["confidence"] == 7.5
    assert "confidence" not in measure(sample("a.py"), Answer(["a.py"]), TEXTS.get)


def test_a_sample_without_gold_has_its_confidence_alone() -> None:
    found = measure(sample(stratum="natural_no_gold"), Answer(["a.py"], [2.0]), TEXTS.get)
    assert found == {"confidence": 2.0}


def test_a_ranked_file_stands_for_its_text_or_its_path_where_it_has_none() -> None:
    found = list(chunks_of(Answer(["a.py", "b.py", "a.py", "absent.py"]), TEXTS.get))
    assert [(chunk.path, chunk.kind, chunk.chars) for chunk in found] == [
        ("a.py", "file", 13), ("b.py", "file", 4), ("absent.py", "file", 9),
    ]  # fmt: skip


def test_an_answer_with_lines_stands_for_blocks() -> None:
    answer = Answer(["a.py", "a.py", "b.py"], lines=[(2, 3), (1, 1), None])
    found = list(chunks_of(answer, TEXTS.get))
    assert [(chunk.path, chunk.lines, chunk.kind, chunk.chars) for chunk in found] == [
        ("a.py", (2, 3), "block", 9), ("a.py", (1, 1), "block", 3), ("b.py", None, "file", 4),
    ]  # fmt: skip
    marked = replace(sample("a.py"), annotations=Annotations((Span("a.py", 3, 4),), (Chunk("a.py", (1, 1)),)))
    values: Any = measure(marked, answer, TEXTS.get)["values"]
    assert (values["line_recall@8k"], values["line_precision@8k"]) == (0.5, pytest.approx(1 / 3))
    assert (values["block_recall@8k"], values["block_precision@8k"]) == (1, 0.5)


def test_blocks_match_by_id_too() -> None:
    marked = replace(sample("a.py"), annotations=Annotations(blocks=(Chunk("a.py", (1, 2), id="x"),)))
    answer = Answer(["a.py"], chunks=[Chunk("a.py", (8, 9), "symbol", id="x", chars=5)])
    values: Any = measure(marked, answer, TEXTS.get)["values"]
    assert values["matched_blocks"] == 1


def test_packing_ends_at_the_first_chunk_that_does_not_fit() -> None:
    sizes = [9000, 1], [5000, 3001, 10], [0, 9000, 1], [4000, 4000, 1]
    chosen = [[chunk.chars for chunk in packed(Chunk("a", chars=size) for size in listed)] for listed in sizes]
    assert chosen == [[9000], [5000], [0, 9000], [4000, 4000]]
