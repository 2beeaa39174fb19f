"""docs/your-own-suite.md and its CI examples, done as they stand in a repository with ten questions of its own.

Not executed: what another service does (`uses:`, caches, artifacts) and the installation from a package index.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.house.pages import written
from tests.own_repository import rows, write_own_repository
from tests.schemas import faults
from tests.snapshots.worktree import commit_all, git

pytestmark = pytest.mark.skipif(
    shutil.which("git") is None or shutil.which("bash") is None, reason="needs git and bash, as CI has them"
)

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "your-own-suite.md").read_text(encoding="utf-8")
(SUITE,) = written(PAGE, "suite.toml")
INSTALL = "python -m pip install pytest-retrieval-bench"
IS_MAIN = "${{ github.ref == 'refs/heads/main' }}"
HAS_BASE = "${{ !cancelled() && hashFiles('.retrieval/base/report.json') != '' }}"


@dataclass(frozen=True)
class Job:
    """A checkout in which steps run as CI runs them; `summary` is what GitHub would show."""

    folder: Path
    variables: Mapping[str, str]

    @property
    def summary(self) -> Path:
        return self.folder.parent / f"{self.folder.name}-summary.md"

    def shell(self, command: str, **more: str) -> subprocess.CompletedProcess[str]:
        """One step."""
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        given = {**os.environ, "PATH": path, **self.variables, **more}
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", command],
            cwd=self.folder,
            env=given,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            text=True,
            timeout=120,
        )

    def report(self, name: str = "report.json") -> dict[str, Any]:
        """The report, which is as its schema says."""
        found: dict[str, Any] = json.loads((self.folder / name).read_text(encoding="utf-8"))
        assert faults("report", found) == []
        return found


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The team's repository."""
    write_own_repository(tmp_path / "shop", SUITE)
    return tmp_path / "shop"


def checkout(shop: Path, name: str, **variables: str) -> Job:
    """A job's own clone, with whole history."""
    folder = shop.parent / name
    git(shop.parent, "clone", "--quiet", str(shop), str(folder))
    return Job(folder, variables)


def github(job: Job, *, main: bool) -> dict[str, int]:
    """Runs the steps of the workflow as GitHub does: the exit status of each that ran, by name."""
    workflow = yaml.safe_load((DOCS / "examples" / "github-actions.yml").read_text(encoding="utf-8"))
    (steps,) = (found["steps"] for found in workflow["jobs"].values())
    statuses: dict[str, int] = {}
    green = True
    for step in steps:
        conditions = {
            None: green,
            IS_MAIN: green and main,
            HAS_BASE: (job.folder / ".retrieval" / "base" / "report.json").is_file(),
            "${{ !cancelled() }}": True,
        }
        if "run" not in step or step["run"] == INSTALL or not conditions[step.get("if")]:
            continue
        finished = job.shell(step["run"], GITHUB_STEP_SUMMARY=str(job.summary))
        statuses[step["name"]] = finished.returncode
        green = green and (finished.returncode == 0 or step.get("continue-on-error", False))
    return statuses


def gitlab(job: Job) -> int:
    """Runs the script of the job as GitLab does; the exit status of the job."""
    job_text = yaml.safe_load((DOCS / "examples" / "gitlab-ci.yml").read_text(encoding="utf-8"))["retrieval"]
    assert job_text["before_script"] == [INSTALL]
    status = job.shell("\n".join(job_text["script"])).returncode
    job.shell("\n".join(job_text["after_script"]))
    return status


def pass_on_cache(before: Job, after: Job) -> None:
    """What the cache of a CI service does between two jobs."""
    shutil.copytree(before.folder / ".retrieval", after.folder / ".retrieval")


def test_the_github_workflow_measures_and_compares_with_the_base_branch(shop: Path) -> None:
    on_main = checkout(shop, "main")
    kept = "Put the report where pull requests find it"
    assert github(on_main, main=True) == {"Measure": 0, kept: 0}
    assert "gate" in on_main.summary.read_text(encoding="utf-8")
    assert on_main.report()["samples"] == 10
    change(shop)
    on_branch = checkout(shop, "branch")
    pass_on_cache(on_main, on_branch)
    assert github(on_branch, main=False) == {"Measure": 0, "Compare with the base branch": 0}
    assert (on_branch.folder / "changes.md").read_text(encoding="utf-8").startswith("### ")
    assert "<testsuite" in (on_branch.folder / "junit.xml").read_text(encoding="utf-8")


def test_the_github_workflow_is_red_where_a_gate_does_not_hold_and_still_compares(shop: Path) -> None:
    on_main = checkout(shop, "main")
    github(on_main, main=True)
    (shop / "suite.toml").write_text(SUITE.replace(">= 0.5", ">= 0.99").replace('"bm25:all hit', '"grep-ident hit'))
    commit_all(shop)
    on_branch = checkout(shop, "branch")
    pass_on_cache(on_main, on_branch)
    assert github(on_branch, main=False) == {"Measure": 1, "Compare with the base branch": 0}


def test_the_github_workflow_is_green_where_other_samples_cannot_be_compared(shop: Path) -> None:
    on_main = checkout(shop, "main")
    github(on_main, main=True)
    samples = shop / "samples.jsonl"
    samples.write_text(samples.read_text(encoding="utf-8").replace("issue-101", "issue-1"), encoding="utf-8")
    commit_all(shop)
    on_branch = checkout(shop, "branch")
    pass_on_cache(on_main, on_branch)
    assert github(on_branch, main=False) == {"Measure": 0, "Compare with the base branch": 4}


def test_the_gitlab_job_measures_and_compares_with_the_default_branch(shop: Path) -> None:
    on_main = checkout(shop, "main", CI_COMMIT_BRANCH="main", CI_DEFAULT_BRANCH="main")
    assert gitlab(on_main) == 0
    assert not (on_main.folder / "changes.md").exists()
    change(shop)
    on_branch = checkout(shop, "branch", CI_COMMIT_BRANCH="", CI_DEFAULT_BRANCH="main")
    pass_on_cache(on_main, on_branch)
    assert gitlab(on_branch) == 0
    assert (on_branch.folder / "changes.md").is_file()
    assert on_branch.report()["arms"].keys() == {"grep-ident", "bm25:all"}


def test_the_gitlab_job_is_red_where_a_gate_does_not_hold(shop: Path) -> None:
    (shop / "suite.toml").write_text(SUITE.replace("errors <= 0", "grep-ident hit@k > 0.99"))
    commit_all(shop)
    assert gitlab(checkout(shop, "main", CI_COMMIT_BRANCH="main", CI_DEFAULT_BRANCH="main")) == 1


@pytest.mark.parametrize("file", ["github-actions.yml", "gitlab-ci.yml"])
def test_what_an_example_uses_is_pinned_and_the_whole_history_is_there(file: str) -> None:
    text = (DOCS / "examples" / file).read_text(encoding="utf-8")
    used = re.findall(r"uses: (\S+)", text)
    assert [one for one in used if not re.fullmatch(r"actions/[a-z/-]+@v\d+", one)] == []
    assert re.search(r"(fetch-depth|GIT_DEPTH): 0\b", text)
    assert INSTALL in text


def test_the_commands_of_the_page_run_in_order(shop: Path) -> None:
    job = checkout(shop, "clone")
    commands = re.findall(r"^(?:pytest|python) .*$", PAGE, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        finished = job.shell(command)
        assert finished.returncode == 0, finished.stdout + finished.stderr
    candidates = (job.folder / "bench" / "samples.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(row)["gold"]["files"] for row in candidates] == [["shop/total.py"]]
    assert "1 of 1 sample not reviewed" in job.shell("pytest --rb-suite=bench").stdout


def test_the_rows_of_the_page_are_of_the_suites_samples() -> None:
    (shown,) = written(PAGE, "samples.jsonl")
    base = "0123456789abcdef0123456789abcdef01234567"
    assert [json.loads(row) for row in shown.splitlines()] == [rows(base)[0], rows(base)[-1]]


def change(shop: Path) -> None:
    """A commit that moves the repository on; the samples stay where they are."""
    (shop / "shop" / "total.py").write_text("def total(cart): ...\n", encoding="utf-8")
    commit_all(shop)
