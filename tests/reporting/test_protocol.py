"""A protocol file read strictly, and its hypotheses judged."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.reporting.protocol.hypotheses import Hypothesis, Protocol, registered_protocol
from pytest_retrieval_bench.reporting.protocol.read import check_protocol, read_protocol
from pytest_retrieval_bench.reporting.protocol.section import protocol_section
from pytest_retrieval_bench.reporting.protocol.text import claim, protocol_table, shown_protocol
from pytest_retrieval_bench.statistics.bca import bca_means
from pytest_retrieval_bench.statistics.corrections import holm

HYPOTHESIS = '[[hypotheses]]\nname = "one"\narm = "mine"\nbaseline = "grep"\nmetric = "hit@k"\ndirection = "better"\n'
FILE = f"samples = 40\n{HYPOTHESIS}"


def rows(differences: list[float], repositories: int = 1) -> list[dict[str, Any]]:
    return [
        {
            "repo": f"o/r{number % repositories}",
            "metrics": {"mine": {"hit@k": max(d, 0)}, "grep": {"hit@k": max(-d, 0), "mrr@k": 0}, "other": {}},
        }
        for number, d in enumerate(differences)
    ]


def stated(direction: str, margin: float = 0, name: str = "one", family: str = "main") -> Hypothesis:
    return Hypothesis(name, family, "mine", "grep", "hit@k", direction, margin)


def judged(
    differences: list[float],
    *hypotheses: Hypothesis,
    repositories: int = 1,
    samples: int | None = None,
    correction: str = "holm",
) -> dict[str, Any]:
    protocol = Protocol("a" * 64, "t", 0.05, correction, samples or len(differences), hypotheses)
    return protocol_section(protocol, rows(differences, repositories), ["mine", "grep", "other"], 0)


def verdict(differences: list[float], *hypotheses: Hypothesis, **members: Any) -> str:
    found: str = judged(differences, *hypotheses, **members)["hypotheses"][0]["verdict"]
    return found


GAIN, LOSS, TIES = [1.0] * 20 + [0.0] * 40, [-1.0] * 20 + [0.0] * 40, [0.0] * 60
MIXED = [1.0, -1.0] * 15 + [0.0] * 30


@pytest.mark.parametrize(
    ("hypothesis", "verdicts"),
    [
        (stated("better"), ["confirmed", "refuted", "undecided", "undecided"]),
        (stated("better", 0.1), ["confirmed", "refuted", "refuted", "undecided"]),
        (stated("non-inferior", 0.1), ["confirmed", "refuted", "confirmed", "undecided"]),
        (stated("equal", 0.1), ["refuted", "refuted", "confirmed", "undecided"]),
        (stated("equal", 0.6), ["confirmed", "confirmed", "confirmed", "confirmed"]),
    ],
)
@pytest.mark.parametrize("repositories", [1, 10])
def test_a_claim_is_confirmed_refuted_or_undecided(
    hypothesis: Hypothesis, verdicts: list[str], repositories: int
) -> None:
    found = [verdict(differences, hypothesis, repositories=repositories) for differences in (GAIN, LOSS, TIES, MIXED)]
    assert found == verdicts


def test_the_verdict_against_a_margin_is_that_of_the_interval_shown() -> None:
    for losses in range(12):
        differences = [-1.0] * losses + [1.0] * 3 + [0.0] * 60
        found = judged(differences, stated("non-inferior", 0.1))["hypotheses"][0]
        low, high = bca_means([differences])[0]
        assert found["interval"]["by"] == "bca"
        assert (found["verdict"] == "confirmed") == (low > -0.1)
        assert (found["verdict"] == "refuted") == (high < -0.1)


def test_p_values_are_corrected_in_their_family_alone() -> None:
    few = [1.0] * 7 + [0.0] * 53
    family = [stated("better", name=name) for name in "abcd"]
    apart = stated("better", name="e", family="other")
    found = {one["name"]: one for one in judged(few, *family, apart)["hypotheses"]}
    p = 2 / 2**7
    assert found["a"]["p"] == found["e"]["p"] == found["e"]["adjusted"] == pytest.approx(p)
    assert found["a"]["adjusted"] == pytest.approx(holm([p] * 4)[0])
    assert [one["verdict"] for one in found.values()] == ["undecided"] * 4 + ["confirmed"]
    plain = judged(few, *family, correction="none")["hypotheses"]
    assert [one["verdict"] for one in plain] == ["confirmed"] * 4


def test_a_hypothesis_that_cannot_be_tested_still_counts_in_the_correction() -> None:
    few = [1.0] * 7 + [0.0] * 53
    absent = Hypothesis("b", "main", "other", "grep", "hit@k", "better", 0)
    found = judged(few, stated("better"), absent)["hypotheses"]
    assert found[0]["adjusted"] == pytest.approx(2 * 2 / 2**7)
    assert found[1]["verdict"] == "undecided"
    assert found[1]["why"] == "60 samples have the metric of one arm alone"


@pytest.mark.parametrize(
    ("differences", "hypothesis", "members", "why"),
    [
        (GAIN, stated("better"), {"samples": 70}, "the protocol is about 70 samples, 60 are measured"),
        (GAIN[:5], stated("better"), {}, "5 samples are too few for any test"),
        (TIES[:20], stated("equal", 0.1), {}, "20 samples are too few for a margin of 0.1"),
    ],
)
def test_what_cannot_be_decided_says_why(
    differences: list[float], hypothesis: Hypothesis, members: dict[str, Any], why: str
) -> None:
    section = judged(differences, hypothesis, **members)
    assert section["hypotheses"][0]["verdict"] == "undecided"
    assert why in section["hypotheses"][0]["why"]
    assert why in protocol_table(section)[1][-1]


def test_missing_results_leave_all_undecided() -> None:
    protocol = Protocol("a" * 64, "t", 0.05, "holm", 60, (stated("better"),))
    section = protocol_section(protocol, rows(GAIN), ["mine", "grep"], missing=2)
    assert section["hypotheses"][0]["why"] == "2 results are missing"


def test_what_was_run_and_not_registered_is_named() -> None:
    section = judged(GAIN, stated("better"))
    assert section["not_registered"] == {"arms": ["other"], "metrics": ["mrr@k"]}
    assert "exploratory, not registered: arms other" in list(shown_protocol(section))


def test_a_claim_in_words() -> None:
    told = [
        claim({"arm": "a", "baseline": "b", "metric": "m", "direction": direction, "margin": margin})
        for direction, margin in (("better", 0.0), ("better", 0.1), ("non-inferior", 0.1), ("equal", 0.1))
    ]
    assert [words.removeprefix("a, m against b: ") for words in told] == [
        "above 0",
        "above +0.1",
        "above -0.1",
        "within ±0.1",
    ]


def test_a_file_is_read_with_its_defaults_and_digest(tmp_path: Path) -> None:
    path = tmp_path / "protocol.toml"
    path.write_text(FILE, encoding="utf-8")
    protocol = read_protocol(path)
    assert protocol == Protocol(
        hashlib.sha256(FILE.encode()).hexdigest(), "protocol", 0.05, "holm", 40, (stated("better"),)
    )
    assert registered_protocol(protocol.as_json()) == protocol


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = ", "Invalid value"),
        ("alhpa = 0.1\n" + FILE, "unknown key 'alhpa'; did you mean 'alpha'?"),
        (FILE + 'metrik = "x"\n', "hypothesis 1: unknown key 'metrik'; did you mean 'metric'?"),
        (FILE.replace('"better"', '"beter"'), "unknown direction 'beter'; did you mean 'better'?"),
        (FILE.replace('direction = "better"\n', ""), "direction is missing; write one of better, non-inferior, equal"),
        (FILE.replace('arm = "mine"\n', ""), "hypothesis 1: arm is missing"),
        (FILE.replace('"better"', '"equal"'), "equal needs a margin"),
        (FILE.replace('"better"', '"equal"') + "margin = 0\n", "margin must be a number from 1e-06 to below 1"),
        (FILE + 'margin = "0.1"\n', "margin must be a number from 0 to below 1, this is '0.1'"),
        (FILE.replace('"mine"', '"grep"'), "grep is held against itself"),
        (HYPOTHESIS, "samples must be how many are measured before it is judged, this is None"),
        ("samples = true\n" + HYPOTHESIS, "this is True"),
        ("samples = 40\n", r"no \[\[hypotheses\]\] table"),
        ("samples = 40\nhypotheses = 3\n", r"no \[\[hypotheses\]\] table"),
        (FILE + HYPOTHESIS, "two hypotheses are called 'one'"),
        ("alpha = 0.9\n" + FILE, "alpha must be a number"),
        ('correction = "bonferroni"\n' + FILE, "unknown correction 'bonferroni'"),
    ],
)
def test_what_is_misspelt_or_left_open_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "protocol.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=words) as refused:
        read_protocol(path)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize(
    ("arms", "metrics", "words"),
    [
        (["mine", "grepp"], ["hit@k"], "hypothesis 'one': not in this run: unknown arm 'grep'; did you mean 'grepp'?"),
        (["mine", "grep"], ["mrr@k"], "hypothesis 'one': unknown metric 'hit@k'"),
    ],
)
def test_what_is_not_measured_is_refused(arms: list[str], metrics: list[str], words: str) -> None:
    protocol = Protocol("a" * 64, "t", 0.05, "holm", 60, (stated("better"),))
    with pytest.raises(SettingsError) as refused:
        check_protocol(protocol, Path("p.toml"), arms, metrics)
    assert words in str(refused.value)
