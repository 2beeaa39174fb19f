"""The grammar of gates, and what is refused before anything runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.reporting.gate_reading import FORMS, read_gate
from pytest_retrieval_bench.reporting.gates import (
    COUNTED,
    LATENCIES,
    Comparison,
    Gate,
    Scope,
    Threshold,
    planned_groups,
    tolerated_arms,
)
from tests.scoring.samples import sample

SILENT = frozenset(["abstained", "selective_success"])
METRICS = SILENT | {"recall@5", "recall@10", "mrr@k", "precision@k", "f1@k", "hit@k", "hard_negative_hits@k"}
SCOPE = Scope(
    arms=("grep", "context", "my arm", "my arm@home", "context 2"),
    limit=10,
    groups={
        "all": METRICS,
        "task:trace2code": METRICS,
        "task:two words@x": METRICS,
        "stratum:natural_no_gold": SILENT,
        "fold:fold-1": METRICS,
    },
    old_report=True,
)


def _read(text: str, scope: Scope = SCOPE) -> list[Gate]:
    return read_gate(text, "--rb-gate", scope)


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("grep hit@k >= 0.7", Threshold("grep", "hit@k", None, ">=", 0.7)),
        ("  grep   hit@k>=.7 ", Threshold("grep", "hit@k", None, ">=", 0.7)),
        ("grep hit@k@all < 7e-1", Threshold("grep", "hit@k", None, "<", 0.7)),
        ("context recall@10@task:trace2code >= 0.7", Threshold("context", "recall@10", "task:trace2code", ">=", 0.7)),
        ("context 2 mrr@k > 0.5", Threshold("context 2", "mrr@k", None, ">", 0.5)),
        ("my arm mrr@k@task:two words@x > 0.5", Threshold("my arm", "mrr@k", "task:two words@x", ">", 0.5)),
        ("my arm@home abstained@fold:fold-1 <= 0.1", Threshold("my arm@home", "abstained", "fold:fold-1", "<=", 0.1)),
        ("grep hard_negative_hits@k <= 2.5", Threshold("grep", "hard_negative_hits@k", None, "<=", 2.5)),
        ("errors <= 0", Threshold(None, "errors", None, "<=", 0)),
        ("my arm errors < 3", Threshold("my arm", "errors", None, "<", 3)),
        ("completion@task:trace2code >= 1", Threshold(None, "completion", "task:trace2code", ">=", 1)),
        ("grep p95_ms <= 200", Threshold("grep", "p95_ms", None, "<=", 200)),
        ("grep p95_ms@PRIMED_SHARED <= 200", Threshold("grep", "p95_ms", "PRIMED_SHARED", "<=", 200)),
        ("my arm@home beats my arm mrr@k", Comparison("my arm@home", "my arm", "mrr@k", None, 0)),
        (
            "context not-worse-than grep recall@5@fold:fold-1 by 0.02",
            Comparison("context", "grep", "recall@5", "fold:fold-1", 0.02),
        ),
        ("context no-regression hit@k by 0.01", Comparison("context", None, "hit@k", None, 0.01)),
    ],
)
def test_a_line_says_one_gate(text: str, gate: Gate) -> None:
    assert _read(text) == [gate]
    assert _read(str(gate)) == [gate]


def test_no_regression_without_an_arm_is_a_gate_for_each() -> None:
    read = _read("no-regression mrr@k by 0.05")
    assert read == [Comparison(arm, None, "mrr@k", None, 0.05) for arm in SCOPE.arms]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("grep", "this is no gate; write ARM METRIC[@GROUP] >= VALUE"),
        ("", "this is no gate; write ARM METRIC[@GROUP] >= VALUE"),
        ("grep hit@k == 0.7", "this is no gate; write ARM METRIC[@GROUP] >= VALUE"),
        ("context beat grep mrr@k", "this is no gate; write ARM beats BASELINE METRIC[@GROUP]"),
        (
            "context not-worse-then grep mrr@k by 1",
            "this is no gate; write ARM not-worse-than BASELINE METRIC[@GROUP] by",
        ),
        (
            "context not-worse-than grep mrr@k",
            "this is no gate; write ARM not-worse-than BASELINE METRIC[@GROUP] by MAR",
        ),
        ("context no_regression mrr@k by 0.1", "this is no gate; write [ARM] no-regression METRIC[@GROUP] by MARGIN"),
        ("error = 3", "this is no gate; write [ARM] errors[@GROUP] <= N"),
        (
            "grepp hit@k >= 0.7",
            "not in this run: unknown arm 'grepp'; did you mean 'grep'? known: grep, context, my arm",
        ),
        ("context beats bm25 mrr@k", "not in this run: unknown arm 'bm25'; known: grep"),
        ("bm25 beats grep mrr@k", "not in this run: unknown arm 'bm25'; known: grep"),
        ("bm25 no-regression mrr@k by 0.1", "not in this run: unknown arm 'bm25'; known: grep"),
        ("grep beats grep mrr@k", "grep is held against itself; name another arm as the baseline"),
        ("context beats mrr@k", "it names no baseline; write ARM beats BASELINE METRIC[@GROUP]"),
        ("hit@k >= 0.7", "it names no arm; write ARM METRIC[@GROUP] >= VALUE, with one of grep, context"),
        ("grep hit@10 >= 0.7", "unknown metric 'hit@10'; did you mean 'hit@k'?"),
        ("grep recal@5 >= 0.7", "unknown metric 'recal@5'; did you mean 'recall@5'?"),
        ("grep >= 0.7", "unknown metric 'grep'"),
        ("grep recall@20 >= 0.7", "recall@20 is not measured at the limit of 10; raise --rb-limit"),
        (
            "grep hit@k@task:trace >= 0.7",
            "unknown group 'task:trace'; did you mean 'task:trace2code'? known: all, task:",
        ),
        ("errors@task:trace <= 7", "unknown group 'task:trace'; did you mean 'task:trace2code'?"),
        (
            "grep hit@k@stratum:natural_no_gold >= 0.7",
            "no sample of stratum:natural_no_gold has hit@k, so that there is",
        ),
        ("grep cb_line_coverage >= 0.7", "unknown metric 'cb_line_coverage'"),
        ("grep hit@k >= 70%", "'70%' is no number; write one such as 0.7"),
        ("grep hit@k >= nan", "'nan' is no number; write one such as 0.7"),
        ("grep hit@k >= 1e999", "'1e999' is no number; write one such as 0.7"),
        ("grep hit@k >= -1", "'-1' is no number; write one such as 0.7"),
        ("grep hit@k >= 70", "hit@k is never above 1; give a value from 0 to 1"),
        ("grep hard_negative_hits@k <= 11", "hard_negative_hits@k is never above 10; give a value from 0 to 10"),
        ("grep hit@k >= 0", "it cannot fail, hit@k is always >= 0; give another value"),
        ("grep hit@k <= 1", "it cannot fail, hit@k is always <= 1; give another value"),
        ("grep hit@k > 1", "it cannot hold, hit@k is never > 1; give another value"),
        ("errors < 0", "it cannot hold, errors is never < 0; give another value"),
        ("completion >= 0", "it cannot fail, completion is always >= 0; give another value"),
        ("errors >= 3", "write [ARM] errors[@GROUP] <= N, with a whole number"),
        ("errors <= 0.5", "write [ARM] errors[@GROUP] <= N, with a whole number"),
        ("completion <= 0.5", "write [ARM] completion[@GROUP] >= SHARE"),
        ("context not-worse-than grep mrr@k by 0", "MARGIN must lie between 0 and 1, this is 0"),
        ("context not-worse-than grep mrr@k by 1", "MARGIN must lie between 0 and 1, this is 1"),
        (
            "context beats grep hard_negative_hits@k",
            "more hard_negative_hits@k is not better, so that no arm can win by it",
        ),
        ("context beats grep p95_ms", "more p95_ms is not better, so that no arm can win by it"),
        ("context no-regression errors by 0.1", "more errors is not better, so that no arm can win by it"),
        ("grep p95_ms@WARM <= 3", "unknown label of a latency 'WARM'; known: NOT_APPLICABLE, COLD_UNIQUE"),
    ],
)
def test_what_has_no_sense_is_refused_with_the_place_and_what_would_be_right(text: str, words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        _read(text)
    assert str(caught.value).startswith(f"--rb-gate: {text!r}: ")
    assert words in str(caught.value)


def test_what_depends_on_the_run_is_refused_where_the_run_cannot_do_it() -> None:
    with pytest.raises(SettingsError, match="no report to compare with; give --rb-gate-report="):
        _read("grep no-regression mrr@k by 0.1", Scope(SCOPE.arms, 10, SCOPE.groups))
    with pytest.raises(
        SettingsError, match="p95_ms is not judged with -n: calls side by side spoil times; leave -n out"
    ):
        _read("grep p95_ms <= 200", Scope(SCOPE.arms, 10, SCOPE.groups, parallel=True))
    with pytest.raises(SettingsError, match="no sample is selected, so that there is nothing to judge"):
        _read("grep hit@k >= 0.7", Scope(SCOPE.arms, 10, {}))


_MEASURES = st.sampled_from(
    [(metric, group) for group, metrics in SCOPE.groups.items() for metric in sorted(metrics)]
).map(lambda measure: (measure[0], None if measure[1] == "all" else measure[1]))
_SHARES = st.floats(0, 1, exclude_min=True, exclude_max=True)
_OPERATORS = st.sampled_from([">=", ">", "<=", "<"])


@given(st.sampled_from(SCOPE.arms), _MEASURES, _OPERATORS, _SHARES)
def test_a_threshold_reads_back_as_it_prints(
    arm: str, measure: tuple[str, str | None], operator: str, value: float
) -> None:
    gate = Threshold(arm, *measure, operator, value)
    assert _read(str(gate)) == [gate]


@given(
    st.permutations(SCOPE.arms),
    _MEASURES.filter(lambda measure: "k" in measure[0] and "neg" not in measure[0]),
    _SHARES,
)
def test_a_comparison_reads_back_as_it_prints(arms: list[str], measure: tuple[str, str | None], margin: float) -> None:
    for gate in (
        Comparison(arms[0], arms[1], *measure, margin),
        Comparison(arms[0], arms[1], *measure, 0),
        Comparison(arms[0], None, *measure, margin),
    ):
        assert _read(str(gate)) == [gate]


@given(
    st.text() | st.lists(st.sampled_from(["grep", "hit@k", ">=", "0.5", "beats", "by", "@", "errors"])).map(" ".join)
)
def test_whatever_a_line_says_it_is_a_gate_or_refused_in_words(text: str) -> None:
    try:
        said = [str(gate) for gate in _read(text)]
    except SettingsError as error:
        said = [str(error)]
    assert said
    assert all(said)


def test_the_groups_of_a_plan_hold_the_metrics_that_their_samples_will_have() -> None:
    groups = planned_groups([sample("a"), sample(stratum="natural_no_gold")], 5)
    positive = {"recall@5", "mrr@k", "precision@k", "f1@k", "hit@k", "hard_negative_hits@k"}
    assert groups["all"] == SILENT | positive
    assert groups["stratum:natural_no_gold"] == SILENT
    assert groups["stratum:positive"] == SILENT | positive


def test_errors_are_excused_for_the_arms_that_a_gate_on_all_samples_counts() -> None:
    arms = ("grep", "context")
    assert tolerated_arms([Threshold("grep", "hit@k", None, ">=", 0.5)], arms) == set()
    assert tolerated_arms([Threshold("grep", "errors", None, "<=", 3)], arms) == {"grep"}
    assert tolerated_arms([Threshold(None, "completion", None, ">=", 0.9)], arms) == set(arms)
    assert tolerated_arms([Threshold("grep", "errors", "task:trace2code", "<=", 3)], arms) == set()


def test_every_form_is_documented() -> None:
    from pathlib import Path

    page = (Path(__file__).parents[2] / "docs" / "gates.md").read_text(encoding="utf-8")
    assert [form for form in FORMS.values() if form not in page] == []
    assert [name for name in (*COUNTED, *LATENCIES) if f"`{name}`" not in page] == []
