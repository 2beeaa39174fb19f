"""The corvint arms in a run: when they run, what they are bound to, and what the report says of them."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from tests.conftest import LEXICAL, Run
from tests.corvint_program import write_corvint
from tests.small_benchmark import ROWS, SmallBenchmark
from tests.snapshots.worktree import state_of

MARK = "open('asked', 'a').write(verb + chr(10))"
VERBS = ["corvint", "context", "impact", "affected"]


@pytest.fixture
def corvint(small: SmallBenchmark) -> str:
    """The option for a corvint without a quirk; the file `asked` lists the verbs that it was asked."""
    return option(small, MARK)


def option(small: SmallBenchmark, awkward: str) -> str:
    return f"--rb-corvint={write_corvint(small.folder / 'corvint', awkward)}"


def digest_of(small: SmallBenchmark) -> str:
    return hashlib.sha256((small.folder / "corvint").read_bytes()).hexdigest()


def asked(small: SmallBenchmark) -> list[str]:
    file = small.folder / "asked"
    return sorted(file.read_text().split()) if file.exists() else []


def answers(report: dict[str, Any], arm: str) -> dict[str, dict[str, Any]]:
    return {row["id"]: row["arms"][arm] for row in report["details"]}


def test_the_four_verbs_run_beside_the_lexical_arms(run: Run, small: SmallBenchmark, corvint: str) -> None:
    finished = run(*small.options, corvint)
    # Three samples name no changed file, so impact and affected do not apply to them.
    finished.result.assert_outcomes(passed=26, skipped=6)
    assert asked(small) == ["affected", *["context"] * 4, "impact", *["query"] * 4]
    report = finished.report
    assert report["corvint"] == {"sha256": digest_of(small), "version": "corvint 1.2.3"}
    assert report["registration"]["corvint_sha256"] == digest_of(small)
    described = {"kind": "corvint", "sha256": digest_of(small), "version": "corvint 1.2.3"}
    assert report["registration"]["retrievers"] == dict.fromkeys(VERBS, described)
    assert sorted(report["arms"]) == sorted([*VERBS, *LEXICAL.split(",")])
    assert list(report["paired"]["all"]) == ["context", "corvint"]


def test_what_a_verb_does_not_apply_to_is_skipped_and_an_error_of_the_report(
    run: Run, small: SmallBenchmark, corvint: str
) -> None:
    finished = run(*small.options, corvint, "--rb-arms=impact,affected")
    finished.result.assert_outcomes(passed=2, skipped=6)
    report = finished.report
    tests = ["tests/test_cart.py"]
    for arm, packet in (("impact", ["README.md", "shop/price.py", *tests]), ("affected", tests)):
        found = answers(report, arm)
        assert found["cart-test"]["ranked"] == packet
        assert found["tick"]["error"] == "no changed_file in query"
        assert (found["tick"]["outcome"], found["tick"]["abstained"]) == ("not applicable", False)
        assert found["tick"]["cache_state"] == "COLD_UNIQUE"
        assert report["arms"][arm]["errors"] == 3
        assert report["arms"][arm]["all"]["selective_success"] == 0.25
    assert "incomplete" not in report


def test_without_an_executable_the_header_says_that_the_four_do_not_run(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options)
    assert "not run corvint, context, impact, affected (no --rb-corvint)" in finished.text
    assert finished.report["corvint"] == {"sha256": "NOT_RUN", "version": "NOT_RUN"}
    assert finished.report["registration"]["corvint_sha256"] == "NOT_RUN"


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_without_an_executable_is_a_usage_error(run_plain: Run, small: SmallBenchmark, verb: str) -> None:
    finished = run_plain(*small.options, f"--rb-arms=grep,{verb}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert f"--rb-arms: {verb} needs --rb-corvint=PATH" in finished.text


@pytest.mark.parametrize(
    ("awkward", "mode", "words"),
    [
        (None, 0o755, "--rb-corvint: the program 'corvint' is not in any folder of PATH, or cannot be executed"),
        ("", 0o644, "is not in {folder}, or cannot be executed"),
        ("#!/bin/sh\nexit 3\n", 0o755, "--rb-corvint: version: exit status 3"),
        ("#!/bin/sh\nexit 0\n", 0o755, "--rb-corvint: version: it printed nothing"),
        ("#!/no/such/interpreter\n", 0o755, "--rb-corvint: version: "),
        ("neither a script nor a program", 0o755, "--rb-corvint: version: "),
    ],
)
def test_an_executable_that_cannot_be_used_is_refused_before_anything_runs(
    run_plain: Run, small: SmallBenchmark, monkeypatch: pytest.MonkeyPatch, awkward: str | None, mode: int, words: str
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    if awkward is not None:
        (small.folder / "corvint").write_text(awkward)
        (small.folder / "corvint").chmod(mode)
    finished = run_plain(*small.options, "--rb-corvint=corvint")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words.format(folder=small.folder) in finished.text
    assert list(small.folder.glob("report*")) == []


def test_an_executable_is_found_on_path_and_by_the_ini_file(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = pytester.mkdir("programs")
    write_corvint(folder / "corvint-of-mine")
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    arms = "--rb-arms=affected"
    on_path = run_plain(*small.options, arms, "--rb-corvint=corvint-of-mine", output="path.json")
    pytester.makeini("[pytest]\nrb_corvint = programs/corvint-of-mine")
    by_ini = run_plain(*small.options, arms, output="ini.json")
    assert on_path.report["corvint"] == by_ini.report["corvint"]
    assert by_ini.report["corvint"]["version"] == "corvint 1.2.3"


@pytest.mark.parametrize("selection", [["--rb-arms=grep"], ["-k", "grep-ident"]])
def test_a_run_that_selects_no_verb_measures_no_corvint(
    run: Run, small: SmallBenchmark, corvint: str, selection: list[str]
) -> None:
    report = run(*small.options, corvint, *selection).report
    assert report["corvint"] == {"sha256": "NOT_RUN", "version": "NOT_RUN"}
    assert report["registration"]["corvint_sha256"] == "NOT_RUN"
    assert report["registration"]["retrievers"] == {}
    assert asked(small) == []


def test_a_selection_of_lexical_arms_spawns_no_corvint(run_plain: Run, small: SmallBenchmark) -> None:
    program = small.folder / "corvint"
    program.write_text("#!/bin/sh\ntouch spawned\necho 1\n")
    program.chmod(0o755)
    finished = run_plain(*small.options, f"--rb-corvint={program}", f"--rb-arms={LEXICAL}")
    finished.result.assert_outcomes(passed=16)
    assert not (small.folder / "spawned").exists()


def test_an_arm_of_ones_own_is_no_corvint_whatever_it_says_of_itself(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(
        """
        from pytest_retrieval_bench import Answer
        class Mine:
            name = "mine"
            def describe(self):
                return {"kind": "corvint"}
            def answer(self, query, snapshot, limit):
                return Answer()
        def pytest_retrieval_bench_arms(config):
            return [Mine()]
        """
    )
    report = run_plain(*small.options, "--rb-arms=mine").report
    assert report["corvint"] == {"sha256": "NOT_RUN", "version": "NOT_RUN"}


@pytest.mark.parametrize("change", ["itself.write_text(itself.read_text() + chr(10))", "itself.unlink()"])
def test_an_executable_that_changes_under_way_gives_no_report_and_no_green(
    run: Run, small: SmallBenchmark, change: str
) -> None:
    finished = run(*small.options, option(small, f"itself = pathlib.Path(sys.argv[0])\n{change}"), "--rb-arms=corvint")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert "no report was written: " in finished.text
    assert ("corvint_sha256, retrievers.corvint" in finished.text) or ("cannot be read" in finished.text)
    assert not finished.output.exists()
    assert json.loads((small.folder / "report.json.registration.json").read_text())["arms"] == ["corvint"]


@pytest.mark.parametrize(
    ("awkward", "words"),
    [
        ("(root / 'note.txt').write_text('x')", "?? note.txt"),
        ("(root / 'README.md').unlink()", "D README.md"),
        ("(root / 'README.md').chmod(0o444)", "read-only: README.md"),
    ],
)
def test_a_verb_that_changes_the_copy_errs_and_the_next_sample_gets_a_clean_one(
    run_plain: Run, small: SmallBenchmark, awkward: str, words: str
) -> None:
    # Only the first call does harm; every call says what it found.
    tell = "open('found', 'a').write(str(names) + chr(10))"
    first = f"{tell}\nif not os.path.exists('harm'):\n    open('harm', 'w')\n    {awkward}"
    finished = run_plain(*small.options, option(small, first), "--rb-arms=corvint", "-k", "acme/shop")
    finished.result.assert_outcomes(failed=1, passed=1, deselected=2)
    bad, good = answers(finished.report, "corvint").values()
    assert bad["error"] == f"the copy was changed and is made anew: {words}"
    assert (bad["ranked"], bad["abstained"], bad["cache_state"]) == ([], False, "COLD_UNIQUE")
    assert "state" not in bad
    assert "packet_bytes" not in bad
    assert good["ranked"] == ["README.md", "shop/cart.py", "shop/price.py", "tests/test_cart.py"]
    found = (small.folder / "found").read_text().splitlines()
    assert found[0] == found[1]


def test_what_corvint_notes_below_its_own_folder_does_not_dirty_the_copy(run_plain: Run, small: SmallBenchmark) -> None:
    note = "(root / '.corvint').mkdir(exist_ok=True)\n(root / '.corvint' / 'self-observations.jsonl').write_text('{}')"
    finished = run_plain(*small.options, option(small, note), f"--rb-arms={','.join(VERBS)}")
    finished.result.assert_outcomes(passed=10, skipped=6)


def test_a_copy_that_affected_cannot_restore_is_an_error_of_affected_alone(
    run_plain: Run, small: SmallBenchmark
) -> None:
    harm = "if verb == 'affected':\n    (root / 'shop/cart.py').unlink()\n    (root / 'shop/cart.py').mkdir()"
    finished = run_plain(*small.options, option(small, harm), "--rb-arms=corvint,impact,affected")
    finished.result.assert_outcomes(failed=1, passed=5, skipped=6)
    assert answers(finished.report, "affected")["cart-test"]["error"].startswith(
        "the copy was changed and is made anew"
    )
    assert answers(finished.report, "corvint")["wrong-sum"]["ranked"][1] == "shop/cart.py"


def test_the_cache_label_is_where_the_times_are_listed(run_plain: Run, small: SmallBenchmark) -> None:
    rows = [dict(ROWS[1], id=f"wrong-sum-{number}") for number in range(31)]
    small.write_samples(rows)
    index = option(small, "build_index()")
    report = run_plain(*small.options, index, "--rb-arms=corvint,grep").report
    states = [answer["cache_state"] for answer in answers(report, "corvint").values()]
    assert states == ["COLD_UNIQUE", *["PRIMED_SHARED"] * 30]
    latency = report["latency"]["corvint"]
    assert latency["COLD_UNIQUE"] == {"n": 1, "state": "NOT_RUN"}
    assert latency["PRIMED_SHARED"]["n"] == 30
    assert set(latency["PRIMED_SHARED"]) == {"n", "min_ms", "p50_ms", "p95_ms", "max_ms", "mad_ms"}
    assert list(report["latency"]["grep"]) == ["NOT_APPLICABLE"]


def test_the_callers_snapshot_is_not_written_to(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    tree = pytester.mkdir("tree")
    (tree / "only.py").write_text("totalPrice\n")
    before = state_of(tree)
    write = "(root / 'only.py').write_text('harm')\n(root / '.corvint').mkdir()"
    snapshot = f"--rb-snapshot=acme/shop@{ROWS[0]['base_commit']}={tree}"
    finished = run_plain(*small.options, snapshot, option(small, write), "--rb-arms=corvint", "-k", "acme/shop")
    finished.result.assert_outcomes(failed=2, deselected=2)
    assert state_of(tree) == before
