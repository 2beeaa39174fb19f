from __future__ import annotations

import pytest

from tests.conftest import Run
from tests.small_benchmark import SmallBenchmark


def test_a_run_and_its_report_show_the_same_extremes(run: Run, run_plain: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, "--rb-arms=grep,grep-ident", "--rb-top=2")
    shown = _extremes(finished.result.outlines)
    assert shown[0] == "worst misses: 1 of 1 samples that an arm misses (n=3)"
    assert shown[2].startswith("tick ")
    again = run_plain(f"--rb-summarize={finished.output}", "--rb-top=2", output=None)
    assert _extremes(again.result.outlines) == shown


def test_extremes_are_shown_only_where_they_are_asked_for(run_plain: Run, small: SmallBenchmark) -> None:
    assert _extremes(run_plain(*small.options).result.outlines) == []


@pytest.mark.parametrize("value", ["0", "-1", "many", "1001", ""])
def test_a_number_without_sense_is_refused(run_plain: Run, small: SmallBenchmark, value: str) -> None:
    finished = run_plain(*small.options, f"--rb-top={value}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "--rb-top: " in finished.text
    assert not finished.output.exists()


def _extremes(lines: list[str]) -> list[str]:
    """The lines of `--rb-top`: from the first list to the place of the report or the end of the run."""
    starts = [number for number, line in enumerate(lines) if line.startswith("worst misses")]
    if not starts:
        return []
    rest = lines[starts[0] :]
    end = next(number for number, line in enumerate(rest) if line.startswith(("report: ", "=====")))
    return rest[:end]
