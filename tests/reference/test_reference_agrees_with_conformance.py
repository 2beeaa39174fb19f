"""The re-statement gives the expected values of tests/conformance."""

import hashlib
import math

import pytest

from .conformance import (
    ALL_ARMS,
    CONFORMANCE,
    LEXICAL_ARMS,
    LIMIT,
    Answered,
    Report,
    answer_all,
    answer_record,
    details_row,
    read_report,
    scored,
    scores,
)
from .samples import FOLD_A, FOLD_B, is_skipped, read_samples, sample_id
from .summaries import group_means, intervals

SAMPLES = ("samples.jsonl", "expected.json")
CONTEXTBENCH = ("contextbench.jsonl", "expected-contextbench.json")


class Held:
    """One samples file answered by the re-statement, beside the expected report."""

    def __init__(self, samples_name: str, expected_name: str) -> None:
        self.samples_name = samples_name
        self.expected = read_report(expected_name)
        self.answered = answer_all(samples_name)

    def pairs(self) -> list[tuple[Answered, Report]]:
        """Every answered sample with its expected details row."""
        return list(zip(self.answered, self.expected["details"], strict=True))


@pytest.fixture(scope="module", params=[SAMPLES, CONTEXTBENCH], ids=["samples", "contextbench"])
def held(request: pytest.FixtureRequest) -> Held:
    samples_name, expected_name = request.param
    return Held(samples_name, expected_name)


def difference(where: str, expected: object, got: object) -> list[str]:
    """One readable line per value that differs; two objects are compared member by member."""
    if isinstance(expected, dict) and isinstance(got, dict):
        lines: list[str] = []
        for name in sorted(expected.keys() | got.keys()):
            lines += difference(f"{where} / {name}", expected.get(name, "absent"), got.get(name, "absent"))
        return lines
    if isinstance(expected, int | float) and isinstance(got, int | float):
        same = math.isclose(expected, got, rel_tol=0, abs_tol=1e-9)
    else:
        same = expected == got
    return [] if same else [f"{where}: expected {expected!r}, got {got!r}"]


def fail_on(differences: list[str]) -> None:
    """Show the first differences, one a line."""
    if differences:
        pytest.fail(f"{len(differences)} differences\n" + "\n".join(differences[:20]), pytrace=False)


def details_differences(held: Held, names: list[str]) -> list[str]:
    """Where the details rows differ in these members; an expected row writes null for an empty list."""
    found: list[str] = []
    for answered, expected in held.pairs():
        got = details_row(answered.row)
        for name in names:
            where = f"{got['id'][:40]} / {name}"
            found += difference(where, expected.get(name) or None, got[name] or None)
    return found


def answer_differences(held: Held, arm: str, name: str) -> list[str]:
    """Where the arm's answers differ in this member; a report may write null for an empty ranking."""
    found: list[str] = []
    for answered, expected in held.pairs():
        want, got = expected["arms"][arm], answer_record(answered, arm)
        where = f"{sample_id(answered.row)[:40]} / {arm} / {name}"
        found += difference(where, want.get(name) or None, got.get(name) or None)
    return found


def test_fold_map_has_the_frozen_digest() -> None:
    folds = dict.fromkeys(FOLD_A, "A") | dict.fromkeys(FOLD_B, "B")
    lines = "".join(f"{folds[repo]}\t{repo}\n" for repo in sorted(folds))
    digest = hashlib.sha256(lines.encode()).hexdigest()
    assert digest == "8d439eb6f7cb2471e90ee905684a0054bce49462859d52db01031f7cabc8f004"


def test_digest_of_the_samples_file_is_over_its_raw_bytes(held: Held) -> None:
    raw = (CONFORMANCE / held.samples_name).read_bytes()
    assert hashlib.sha256(raw).hexdigest() == held.expected["samples_sha256"]


def test_samples_come_in_file_order_and_unlabelled_ones_are_skipped(held: Held) -> None:
    ids = [sample_id(answered.row) for answered in held.answered]
    assert ids == [row["id"] for row in held.expected["details"]]
    skipped = [row for row in read_samples(CONFORMANCE / held.samples_name) if is_skipped(row)]
    assert {"no_gold_unlabeled": len(skipped)} == held.expected["skipped"]


def test_gold_and_given_files(held: Held) -> None:
    fail_on(details_differences(held, ["gold", "given"]))


def test_task_type_repository_commit_stratum_and_fold(held: Held) -> None:
    fail_on(details_differences(held, ["task_type", "repo", "base_commit", "stratum", "partition"]))


def test_length_of_the_query_text_in_code_points(held: Held) -> None:
    fail_on(details_differences(held, ["query_chars", "query_truncated"]))


def test_anchor_bearing_samples(held: Held) -> None:
    fail_on(details_differences(held, ["anchor_bearing"]))


@pytest.mark.parametrize("arm", LEXICAL_ARMS)
def test_ranking_of_a_lexical_arm(held: Held, arm: str) -> None:
    fail_on(answer_differences(held, arm, "ranked"))


@pytest.mark.parametrize("arm", LEXICAL_ARMS)
def test_top_score_of_a_lexical_arm(held: Held, arm: str) -> None:
    fail_on(answer_differences(held, arm, "top_score"))


@pytest.mark.parametrize("arm", LEXICAL_ARMS)
def test_abstention_of_a_lexical_arm(held: Held, arm: str) -> None:
    fail_on(answer_differences(held, arm, "abstained"))


@pytest.mark.parametrize("arm", LEXICAL_ARMS)
def test_metrics_of_a_lexical_arm(held: Held, arm: str) -> None:
    found: list[str] = []
    for answered, expected in held.pairs():
        got = scores(answered, answer_record(answered, arm))
        found += difference(f"{sample_id(answered.row)[:40]} / {arm}", expected["metrics"][arm], got)
    fail_on(found)


@pytest.mark.parametrize("arm", ALL_ARMS)
def test_metrics_follow_from_the_expected_answer_of_every_arm(held: Held, arm: str) -> None:
    found: list[str] = []
    for answered, expected in held.pairs():
        got = scores(answered, expected["arms"][arm])
        found += difference(f"{sample_id(answered.row)[:40]} / {arm}", expected["metrics"][arm], got)
    fail_on(found)


@pytest.mark.parametrize("arm", LEXICAL_ARMS)
def test_group_means_and_intervals_of_a_lexical_arm(held: Held, arm: str) -> None:
    samples = [scored(answered, answer_record(answered, arm)) for answered in held.answered]
    got = {**group_means(samples), "intervals": intervals(samples, LIMIT), "errors": 0}
    fail_on(difference(arm, held.expected["arms"][arm], got))


@pytest.mark.parametrize("arm", ALL_ARMS)
def test_group_means_and_intervals_follow_from_the_expected_answers(held: Held, arm: str) -> None:
    samples = [scored(answered, expected["arms"][arm]) for answered, expected in held.pairs()]
    errors = sum(1 for row in held.expected["details"] if "error" in row["arms"][arm])
    got = {**group_means(samples), "intervals": intervals(samples, LIMIT), "errors": errors}
    fail_on(difference(arm, held.expected["arms"][arm], got))
