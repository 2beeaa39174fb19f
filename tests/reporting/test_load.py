from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval_bench import load_report
from pytest_retrieval_bench.errors import ReportError
from tests.conftest import Run
from tests.small_benchmark import SmallBenchmark


def test_a_report_reads_as_flat_rows_for_a_data_frame(run_plain: Run, small: SmallBenchmark) -> None:
    report = load_report(run_plain(*small.options, "--rb-arms=grep-ident").output)
    rows = list(report.rows())
    assert [(row["id"], row["arm"], row["hit@k"]) for row in rows[:3]] == [
        ("cart-test", "grep-ident", 1),
        ("wrong-sum", "grep-ident", 1),
        ("tick", "grep-ident", 0),
    ]
    assert rows[1]["ranked"] == ["shop/price.py"]
    assert report.metric("grep-ident", "mrr@k") == {"cart-test": 0.5, "wrong-sum": 1, "tick": 0}
    assert (report.arms, report.complete) == (["grep-ident"], True)


def test_an_incomplete_report_says_so(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(*small.options, "-x", "--rb-judge=strict", "--rb-arms=grep,grep-ident")
    assert load_report(finished.output).complete is False


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cannot be read as a report"),
        ("[]", "the profile is None, not 'pytest-retrieval-bench/1'"),
        ('{"profile": "other/1"}', "the profile is 'other/1'"),
        ('{"profile": "pytest-retrieval-bench/1", "limit": NaN}', "NaN is not JSON"),
        ('{"limit": 1, "limit": 2}', "the key 'limit' stands twice"),
    ],
)
def test_what_is_no_report_is_refused_with_its_name(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(text)
    with pytest.raises(ReportError, match=r"report\.json: ") as caught:
        load_report(path)
    assert words in str(caught.value)


def test_an_absent_report_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="No such file"):
        load_report(tmp_path / "absent.json")
