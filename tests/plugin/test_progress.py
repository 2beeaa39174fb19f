"""How far a long run is: told now and then, a line of its own, never in a short run."""

from __future__ import annotations

import re

import pytest

from tests.conftest import Run
from tests.small_benchmark import SmallBenchmark

# As if each item took ages.
ALWAYS = """\
import pytest

@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session):
    progress = session.config.pluginmanager.get_plugin("retrieval-bench-progress")
    if progress is not None:
        progress.interval_s = 0
"""
# As if ten seconds went by from one item to the next.
SLOWLY = ALWAYS.replace("interval_s = 0", "interval_s = 30\n        progress.clock = iter(range(0, 1000, 10)).__next__")
LINE = re.compile(r"retrieval-bench: (\d+) of (\d+) results(?:, (?:under|about) \d+ (?:s|min) left)?")


def told(lines: list[str]) -> list[tuple[int, int]]:
    """How far the run was said to be, each time."""
    found = [match for line in lines if (match := LINE.fullmatch(line))]
    assert len(found) == sum(" results" in line for line in lines)
    return [(int(match[1]), int(match[2])) for match in found]


@pytest.mark.parametrize("verbosity", [[], ["-v"]])
def test_each_line_stands_alone_and_counts_what_is_done(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester, verbosity: list[str]
) -> None:
    pytester.makeconftest(ALWAYS)
    finished = run(*small.options, "--rb-arms=grep,bm25", *verbosity)
    assert finished.status == 0
    assert told(finished.result.outlines) == [(number, 12) for number in range(1, 12)]
    assert re.search(r", under 10 s left$", finished.text, re.MULTILINE)


def test_it_is_told_as_often_as_there_is_somebody_to_look(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(SLOWLY)
    finished = run(*small.options, "--rb-arms=grep,bm25")
    assert told(finished.result.outlines) == [(3, 12), (6, 12), (9, 12)]


def test_items_that_are_left_out_are_not_waited_for(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(conftest=ALWAYS, test_mine="def test_mine():\n    pass\n")
    finished = run(*small.options, "test_mine.py", "--rb-arms=grep,bm25", "-k", "mine or grep")
    assert told(finished.result.outlines) == [(number, 4) for number in range(1, 4)]


def test_a_resumed_run_counts_what_it_measures_itself(
    run: Run, run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    run_plain(*small.options, "--rb-arms=grep", "--rb-judge=strict", "-x", output="report.json")
    done = (small.folder / "report.json.journal.jsonl").read_text().count('"sample_id"')
    assert 0 < done < 4
    (small.folder / "report.json").unlink()
    pytester.makeconftest(ALWAYS)
    finished = run(*small.options, "--rb-arms=grep", "--rb-resume")
    assert told(finished.result.outlines) == [(number, 4 - done) for number in range(1, 4 - done)]


def test_a_quiet_run_tells_nothing(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(ALWAYS)
    assert told(run(*small.options, "-q").result.outlines) == []


def test_a_short_run_tells_nothing(run: Run, small: SmallBenchmark) -> None:
    assert told(run(*small.options).result.outlines) == []
