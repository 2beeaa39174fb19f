"""`--rb-keep-workspace`: the copy of a failed sample stays, and the command that asks it again is printed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

from tests.conftest import Finished, Run
from tests.plugin.own_arms import write_arms, write_program
from tests.small_benchmark import ROWS, SmallBenchmark

# Tells all that it was given and a part of the copy, and fails.
TELLS = """
def seen(word):
    if os.path.isdir(word): return sorted(os.listdir(word)), open(os.path.join(word, "shop/price.py")).read()
    return open(word).read() if os.path.isfile(word) else word
where = "." if os.path.exists("shop") else sys.argv[1]
print("never read")
print([seen(word) for word in (where, *sys.argv[1:])], repr(sys.stdin.read()), file=sys.stderr)
sys.exit(3)
"""
HOSTILE = {**ROWS[1], "query": {"raw_signal": 'it\'s $HOME\n`totalPrice` "is" \\wrong; größe'}}
TOLD = re.compile(r"^kept: (.*?)\nrun again: (.*?)\nstandard error: (.*?)\n(?=---|___|===)", re.DOTALL | re.MULTILINE)


def kept(temporary_folder: Path) -> list[Path]:
    return list(temporary_folder.glob("retrieval-bench-kept-*"))


def told(finished: Finished) -> list[tuple[str, ...]]:
    """Place, command and standard error, as printed for each failed sample."""
    return TOLD.findall(finished.text)


def test_the_printed_command_does_in_the_kept_copy_what_was_done(
    run: Run, small: SmallBenchmark, temporary_folder: Path
) -> None:
    small.write_samples([HOSTILE])
    write_program(small.folder, "tell", TELLS)
    arms: dict[str, Any] = {
        "by-input": {"command": "./tell"},
        "by-plain-input": {"command": "./tell", "query": "plain"},
        "by-argument": {"command": "./tell '{query}' {limit}", "query": "plain"},
        "by-file": {"command": "./tell '{query_file}'"},
        "in-root": {"command": "./tell {root} 'two words'"},
    }
    option = write_arms(small.folder, arms)
    finished = run(*small.options, option, f"--rb-arms={','.join(arms)}", "--rb-keep-workspace")
    finished.result.assert_outcomes(failed=5)
    assert len(told(finished)) == len(kept(temporary_folder)) == 5
    for place, command, stderr in told(finished):
        again = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd="/", check=False)
        assert (again.returncode, again.stdout, again.stderr) == (3, "never read\n", f"{stderr}\n")
        assert Path(place, "stderr").read_text() == again.stderr
        assert "return sum(cart)" in stderr
        assert "`totalPrice`" in stderr


def test_nothing_is_kept_of_what_passes_or_does_not_apply(
    run: Run, small: SmallBenchmark, temporary_folder: Path
) -> None:
    write_program(small.folder, "find", "print('shop/cart.py' if 'cart' in sys.argv[1] else sys.exit('no'))")
    finished = run(
        *small.options, "--rb-command=mine=./find {changed_file}", "--rb-arms=mine,grep", "--rb-keep-workspace"
    )
    finished.result.assert_outcomes(passed=5, skipped=3)
    assert kept(temporary_folder) == []


def test_a_miss_is_kept_where_it_is_a_failure(run_plain: Run, small: SmallBenchmark, temporary_folder: Path) -> None:
    small.write_samples(ROWS[:2])
    write_program(small.folder, "find", "print('shop/price.py'); print('1 file', file=sys.stderr)")
    finished = run_plain(
        *small.options, "--rb-command=mine=./find", "--rb-arms=mine", "--rb-keep-workspace", "--rb-judge=strict"
    )
    finished.result.assert_outcomes(passed=1, failed=1)
    (place,) = kept(temporary_folder)
    assert [(where, said) for where, _, said in told(finished)] == [(str(place), "1 file")]
    assert (place / "query").read_text() == '{"changed_file": "shop/cart.py", "pr_title": "add_item keeps the order"}'


def test_the_copy_is_kept_as_the_command_left_it(run_plain: Run, small: SmallBenchmark, temporary_folder: Path) -> None:
    small.write_samples(ROWS[:1])
    write_program(small.folder, "find", "open('shop/cart.py', 'a').write('# more')")
    run_plain(*small.options, "--rb-command=mine=./find", "--rb-arms=mine", "--rb-keep-workspace")
    (place,) = kept(temporary_folder)
    assert (place / "copy" / "shop" / "cart.py").read_text().endswith("# more")
    assert (place / "copy" / "shop" / "price.py").read_text().startswith("def totalPrice")


def test_a_copy_that_is_gone_is_told(run_plain: Run, small: SmallBenchmark, temporary_folder: Path) -> None:
    small.write_samples(ROWS[:1])
    write_program(small.folder, "find", "import shutil; shutil.rmtree(os.getcwd())")
    finished = run_plain(*small.options, "--rb-command=mine=./find", "--rb-arms=mine", "--rb-keep-workspace")
    finished.result.assert_outcomes(failed=1)
    (place,) = kept(temporary_folder)
    assert f"kept, but not the whole copy, which the command changed: {place}" in finished.text
    assert "run again: cd " in finished.text


def test_without_the_option_nothing_is_left(run: Run, small: SmallBenchmark, temporary_folder: Path) -> None:
    write_program(small.folder, "tell", TELLS)
    finished = run(*small.options, "--rb-command=mine=./tell {query_file}", "--rb-arms=mine")
    finished.result.assert_outcomes(failed=4)
    assert "run again" not in finished.text
    assert [file for folder in temporary_folder.iterdir() for file in folder.iterdir()] == []
    assert kept(temporary_folder) == []
