"""`python -m pytest_retrieval_bench env`: what there is, what is missing, and the line that mends it."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from pytest_retrieval_bench import environment
from pytest_retrieval_bench.__main__ import main
from pytest_retrieval_bench.environment import Finding, findings


def found(folder: Path, corvint: str = "corvint") -> dict[str, Finding]:
    return {finding.name: finding for finding in findings(folder, corvint)}


def test_every_finding_that_is_not_ready_says_how_to_mend_it(tmp_path: Path) -> None:
    here = found(tmp_path / "cache")
    assert {"Python", "pytest", "numpy", "Git", "corvint", "[parquet]", "index cache", "processors"} <= here.keys()
    for finding in here.values():
        assert bool(finding.mend) == (finding.state != "ready")
    assert not (tmp_path / "cache").exists()


def test_a_package_that_every_run_needs_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    versions = {"numpy": "1.0", "pyarrow": "1.0"}

    def version(name: str) -> str:
        if name == "orjson":
            raise PackageNotFoundError(name)
        return versions.get(name, "99.0")

    monkeypatch.setattr(environment, "version", version)
    here = found(tmp_path)
    assert (here["numpy"].state, here["numpy"].mend) == ("missing", "pip install 'numpy>=1.26'")
    assert here["numpy"].found == "1.0, not >=1.26"
    assert (here["orjson"].state, here["orjson"].found) == ("missing", "not installed")
    assert here["[parquet]"].state == "optional"
    assert here["[parquet]"].mend == "pip install 'pytest-retrieval-bench[parquet]'"
    assert main(["env"]) == 1
    assert "-> pip install 'numpy>=1.26'" in capsys.readouterr().out


def test_a_tree_that_is_not_installed_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(environment, "version", nothing)
    monkeypatch.setattr(environment, "requires", nothing)
    here = found(tmp_path)["pytest-retrieval-bench"]
    assert (here.state, here.mend) == ("missing", "pip install pytest-retrieval-bench")


def test_a_whole_environment_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["env"]) == 0
    assert "Python" in capsys.readouterr().out


def test_programs_that_are_not_there_keep_their_arms_alone_from_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    here = found(tmp_path)
    assert (here["Git"].state, here["corvint"].state) == ("optional", "optional")
    assert here["Git"].mend.startswith("install Git 2.36 or newer")


@pytest.mark.parametrize(("said", "state"), [("git version 2.36.0", "ready"), ("git version 2.35.9", "optional")])
def test_git_must_be_new_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, state: str) -> None:
    program = tmp_path / "git"
    program.write_text(f"#!/bin/sh\necho {said}\n", encoding="ascii")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert found(tmp_path)["Git"].state == state


def test_a_program_at_a_path_is_found(tmp_path: Path) -> None:
    program = tmp_path / "corvint"
    program.write_text("#!/bin/sh\n", encoding="ascii")
    program.chmod(0o755)
    assert found(tmp_path, str(program))["corvint"] == Finding("corvint", "ready", str(program))


def test_a_cache_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    finding = found(tmp_path / "file" / "cache")["index cache"]
    assert finding.state == "optional"
    assert "give --rb-cache-dir=DIR" in finding.mend
