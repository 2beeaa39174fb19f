"""Mistakes in arms of one's own, refused in words before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Run
from tests.plugin.own_arms import write_program
from tests.small_benchmark import SmallBenchmark

IN_FILE = {
    "an unknown key": ("[arms.mine]\ncomand = './find'", "[arms.mine]: unknown key 'comand'; did you mean 'command'?"),
    "an unknown placeholder": (
        "[arms.mine]\ncommand = './find {qeury}'",
        "[arms.mine]: command: unknown placeholder 'qeury'; did you mean 'query'?",
    ),
    "an unknown format": (
        "[arms.mine]\ncommand = './find'\noutput = 'jsnol'",
        "[arms.mine]: unknown output 'jsnol'; did you mean 'jsonl'?",
    ),
    "a name of the built-in arms": (
        "[arms.grep]\ncommand = './find'",
        "[arms]: two arms have the name 'grep'; rename one",
    ),
    "a name of a group": (
        "[arms.bm25]\ncommand = './find'",
        "[arms]: 'bm25' cannot be the name of an arm; rename it",
    ),
    "a name of corvint's arms": (
        "[arms.context]\ncommand = './find'",
        "[arms]: 'context' is the name of an arm of corvint; rename it",
    ),
    "a program that is not there": (
        "[arms.mine]\ncommand = './fnid'",
        "[arms.mine]: the program './fnid' is not in ",
    ),
    "an index program that is not there": (
        "[arms.mine]\ncommand = './find'\nindex = 'no-such-indexer'",
        "[arms.mine]: the program 'no-such-indexer' is not in any folder of PATH, or cannot be executed",
    ),
}
OF_OPTIONS = {
    "no template": (["--rb-command=mine"], "--rb-command: 'mine' is not NAME=TEMPLATE"),
    "two one-liners of one name": (
        ["--rb-command=mine=./find", "--rb-command=mine=./find {root}"],
        "--rb-command: two arms have the name 'mine'; rename one",
    ),
    "a file that is not there": (["--rb-arms-file=gone.toml"], "gone.toml: No such file or directory"),
    "an arm that is nowhere": (
        ["--rb-command=mine=./find", "--rb-arms=mien"],
        "--rb-arms: unknown arm 'mien'; did you mean 'mine'? known: grep, grep-ident, bm25:all, bm25:ident, mine, "
        "bm25, arb:lexical, ",
    ),
}


def assert_refused(run: Run, small: SmallBenchmark, options: list[str], words: str, ran: Path) -> None:
    """Exit status 4 with the words, and no program was started, no file written."""
    finished = run(*small.options, *options)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert "Traceback" not in finished.text
    assert not ran.exists()
    assert list(small.folder.glob("report*")) == []


@pytest.fixture
def ran(small: SmallBenchmark) -> Path:
    """There once the program `find` has run."""
    mark = small.folder / "ran"
    write_program(small.folder, "find", f"open({str(mark)!r}, 'w')")
    return mark


@pytest.mark.parametrize(("text", "words"), IN_FILE.values(), ids=list(IN_FILE))
def test_a_mistake_in_a_file_is_refused_by_its_place(
    run_plain: Run, small: SmallBenchmark, ran: Path, text: str, words: str
) -> None:
    file = small.folder / "mine.toml"
    file.write_text(text)
    assert_refused(run_plain, small, [f"--rb-arms-file={file}"], f"{file}: {words}", ran)


@pytest.mark.parametrize(("options", "words"), OF_OPTIONS.values(), ids=list(OF_OPTIONS))
def test_a_mistake_in_options_is_refused_by_its_option(
    run_plain: Run, small: SmallBenchmark, ran: Path, options: list[str], words: str
) -> None:
    assert_refused(run_plain, small, options, words, ran)


def test_workers_are_not_started_for_an_arm_that_cannot_run(small: SmallBenchmark, ran: Path, run: Run) -> None:
    assert_refused(run, small, ["--rb-command=mine=no-such-program"], "--rb-command mine: the program", ran)


def test_an_arm_that_is_not_selected_need_not_be_there(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(*small.options, "--rb-command=mine=no-such-program", "--rb-arms=grep")
    finished.result.assert_outcomes(passed=4)
