"""PROTOCOL 4 and 5: from an answer to its record."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.model import LEXICAL_ARMS, Answer, Record, Sample, Span, Stratum
from pytest_retrieval_bench.scoring.score import score
from tests.scoring.samples import sample

POSITIVE = [*("recall@5", "recall@10", "recall@20"), "mrr@k", "precision@k", "f1@k", "hit@k", "hard_negative_hits@k"]
BOTH = ["abstained", "selective_success"]
NO_GOLD: list[Stratum] = ["natural_no_gold", "counterfactual_no_gold"]


def scored(asked: Sample, answer: Answer, arm: str = "grep", limit: int = 20) -> Record:
    return score(asked, arm, answer, limit, 1.5, {"a": 4, "b": 2}.get)


def test_the_record_keeps_what_is_scored_and_what_the_arm_said_beside_it() -> None:
    answer = Answer(("g", "a", "b", "a", "c"), state="BOUNDED", packet_bytes=7, cache_state="PRIMED_SHARED")
    record = scored(sample("b", given=("g",)), answer, "mine", limit=2)
    assert (record.sample_id, record.arm, record.outcome, record.ranked) == ("one", "mine", "answered", ("a", "b"))
    assert (record.abstained, record.state, record.packet_bytes) == (False, "BOUNDED", 7)
    assert (record.cache_state, record.wall_ms, record.error, record.top_score) == ("PRIMED_SHARED", 1.5, None, None)
    assert dict(record.metrics) == {
        "abstained": 0,
        "mrr@k": 0.5,
        "precision@k": 0.5,
        "f1@k": pytest.approx(2 / 3),
        "hit@k": 1,
        "hard_negative_hits@k": 0,
        "selective_success": 1,
    }


@pytest.mark.parametrize(
    ("ranking", "abstained", "metrics"),
    [
        (("a",), False, {"hit@k": 1, "abstained": 0, "selective_success": 1}),
        (("x",), False, {"hit@k": 0, "abstained": 0, "selective_success": 0}),
        (("a",), True, {"hit@k": 1, "abstained": 1, "selective_success": 0}),
        (("x",), True, {"hit@k": 0, "abstained": 1, "selective_success": 0}),
        ((), False, {"hit@k": 0, "abstained": 0, "selective_success": 0}),
        ((), None, {"hit@k": 0, "abstained": 1, "selective_success": 0}),
        (("g",), None, {"hit@k": 0, "abstained": 1, "selective_success": 0}),
        (("g", "a"), None, {"hit@k": 1, "abstained": 0, "selective_success": 1}),
    ],
)
def test_on_a_positive_sample_success_is_an_answer_with_a_hit(
    ranking: tuple[str, ...], abstained: bool | None, metrics: dict[str, float]
) -> None:
    record = scored(sample("a", given=("g",)), Answer(ranking, abstained=abstained))
    assert {name: record.metrics[name] for name in metrics} == metrics
    assert sorted(record.metrics) == sorted(POSITIVE + BOTH)
    assert record.outcome == ("abstained" if metrics["abstained"] else "answered")


@pytest.mark.parametrize("stratum", NO_GOLD)
@pytest.mark.parametrize(
    ("ranking", "abstained", "success"),
    [((), None, 1), (("a",), None, 0), (("a",), True, 1), ((), False, 0), (("g",), None, 1)],
)
def test_on_a_sample_without_gold_success_is_abstention_and_nothing_else_is_scored(
    stratum: Stratum, ranking: tuple[str, ...], abstained: bool | None, success: int
) -> None:
    record = scored(sample(given=("g",), stratum=stratum), Answer(ranking, abstained=abstained))
    assert dict(record.metrics) == {"abstained": success, "selective_success": success}


def test_an_abstaining_arm_keeps_its_ranking_and_its_hit() -> None:
    record = scored(sample("a"), Answer(("a", "b"), abstained=True))
    assert (record.ranked, record.abstained, record.metrics["recall@5"], record.metrics["mrr@k"]) == (
        ("a", "b"),
        True,
        1,
        1,
    )


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        (sample("a"), POSITIVE + BOTH),
        (sample("a", gold_spans=(Span("a", 1, 2),)), POSITIVE + BOTH),
        *((sample(stratum=stratum), BOTH) for stratum in NO_GOLD),
    ],
    ids=["positive", "lines", *NO_GOLD],
)
@pytest.mark.parametrize("applicable", [True, False])
def test_an_error_scores_zero_on_each_key_of_its_stratum(asked: Sample, names: list[str], applicable: bool) -> None:
    answer = Answer(("a",), (1.0,), True, "STATE", 5, "COLD_UNIQUE", "it broke", applicable)
    record = scored(asked, answer)
    assert dict(record.metrics) == dict.fromkeys(names, 0)
    assert record.outcome == ("error" if applicable else "not applicable")
    assert (record.ranked, record.abstained, record.error) == ((), False, "it broke")
    assert (record.state, record.packet_bytes, record.top_score) == (None, None, None)
    assert (record.cache_state, record.wall_ms) == ("COLD_UNIQUE", 1.5)


def test_an_arm_that_does_not_apply_scores_zero_and_says_why() -> None:
    record = scored(sample("a"), Answer(("a",), applicable=False))
    assert (record.outcome, record.ranked, record.abstained) == ("not applicable", (), False)
    assert record.error == "the arm does not apply to this sample"
    assert dict(record.metrics) == dict.fromkeys(POSITIVE + BOTH, 0)


@pytest.mark.parametrize(
    ("limit", "recalls"), [(1, []), (5, ["recall@5"]), (10, ["recall@5", "recall@10"]), (50, POSITIVE[:3])]
)
def test_an_error_has_the_keys_that_an_answer_has_at_that_limit(limit: int, recalls: list[str]) -> None:
    failed, answered = (scored(sample("a"), answer, limit=limit) for answer in (Answer(error="x"), Answer(("a",))))
    assert set(failed.metrics) == set(answered.metrics) == {*recalls, *POSITIVE[3:], *BOTH}


@pytest.mark.parametrize("arm", LEXICAL_ARMS)
def test_the_top_score_of_a_lexical_arm_is_that_of_the_first_path_not_given(arm: str) -> None:
    answer = Answer(("g", "a", "b"), (9.0, 2.0078125, 1.0))
    assert scored(sample("b", given=("g",)), answer, arm).top_score == 2.007813
    assert scored(sample("b", given=("g", "a", "b")), answer, arm).top_score is None
    assert scored(sample("b"), Answer(), arm).top_score is None


@pytest.mark.parametrize("arm", ["corvint", "context", "impact", "affected", "mine"])
def test_other_arms_keep_no_top_score(arm: str) -> None:
    assert scored(sample("a"), Answer(("a",), (2.0,)), arm).top_score is None


@pytest.mark.parametrize("abstained", [False, True])
def test_lines_are_scored_only_for_gold_that_has_them(abstained: bool) -> None:
    answer = Answer(("a", "b"), abstained=abstained)
    lines = {name: value for name, value in scored(sample("a"), answer).metrics.items() if name.startswith("cb_")}
    assert lines == {}
    record = scored(sample("a", gold_spans=(Span("a", 1, 3),)), answer)
    lines = {name: value for name, value in record.metrics.items() if name.startswith("cb_")}
    assert lines == {"cb_file_coverage": 1, "cb_file_precision": 0.5, "cb_line_coverage": 1, "cb_line_precision": 0.5}


@given(
    st.lists(st.sampled_from("abcg")),
    st.none() | st.booleans(),
    st.sampled_from([sample("a", "b", given=("g",)), sample(given=("g",), stratum="natural_no_gold")]),
    st.integers(1, 3),
)
@settings(deadline=None)
def test_given_files_and_repetitions_never_change_a_score(
    ranking: list[str], abstained: bool | None, asked: Sample, limit: int
) -> None:
    clean = tuple(path for path in dict.fromkeys(ranking) if path != "g")
    whole = scored(asked, Answer(tuple(ranking), abstained=abstained), "mine", limit)
    assert whole == scored(asked, Answer(clean, abstained=abstained), "mine", limit)
    assert whole.ranked == clean[:limit]
