"""The `--rb-*` options and their ini twins, as pytest is told of them.

This module is imported in every pytest run; what the options mean is read in `settings`, when one is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    import pytest

DEFAULT_LIMIT, MAX_LIMIT = 20, 50
# Each is an option that works on written reports, with which nothing is run.
ON_REPORTS = ("summarize", "compare", "noise-floor")
JUDGES = ("record", "strict")
RESUMES = ("missing", "errors")
CANDIDATE_FILTERS = ("all_files", "code_only", "tests_only")
# What is made of a finished report beside it: each is the name of an option.
EXPORTS = ("html", "markdown", "table", "trec", "view-csv")
EXPORTED_FOLDERS = ("trec",)
# Figures alone, with no place for words on what is wrong with them.
EXPORTED_FIGURES = ("table", "trec", "view-csv")
TABLE_SUFFIXES = (".csv", ".parquet")
VIEWS = ("all", "weighted", "task-macro", "repository-macro", "relevance", "depth", "budget", "selective")


def add(parser: pytest.Parser) -> None:
    """Adds the options and the ini values."""
    group = parser.getgroup("retrieval-bench", "repository-retrieval benchmarks (pytest-retrieval-bench)")

    def option(name: str, **attributes: Any) -> None:
        group.addoption(f"--rb-{name}", dest=dest(name), default=None, **attributes)

    option("samples", action="append", metavar="PATH", help="samples file or folder, to be measured (repeatable)")
    option("suite", metavar="NAME|DIR", help="a bundled suite, or a folder with a suite.toml")
    option("data", metavar="DIR", help="folder of the benchmark releases that suites are about")
    option("corpus", metavar="DIR", help="the snapshots: OWNER__NAME/COMMIT.chunks.jsonl, directories, or an archive")
    option(
        "snapshot",
        action="append",
        metavar="OWNER/NAME@COMMIT=PATH",
        help="the snapshot of one repository at one commit: a chunk file or a directory (repeatable)",
    )
    option(
        "git",
        action="append",
        metavar="OWNER/NAME=DIR",
        help="a local clone of one repository, read at every base commit (repeatable)",
    )
    option("arms", action="append", metavar="ARMS", help="retrievers to measure, comma-separated (repeatable)")
    option(
        "candidate-filter",
        metavar="|".join(CANDIDATE_FILTERS),
        help="which files the arms arb:… and dense:… may rank (default all_files)",
    )
    option(
        "baseline-arms",
        action="append",
        metavar="ARMS",
        help="arms that the others are held against in `paired` (default: the lexical ones)",
    )
    option("corvint", metavar="PATH", help="the corvint executable: arms corvint, context, impact, affected")
    option("arms-file", metavar="FILE.toml", help="[arms.NAME] tables: commands and services of your own as arms")
    option("command", action="append", metavar="NAME=TEMPLATE", help="a command of your own as an arm (repeatable)")
    option("replay", action="append", metavar="NAME=FILE", help="stored answers as an arm (repeatable)")
    option("task-type", metavar="TASK", help="measure the samples of this task type only")
    option("max-samples", metavar="N", help="measure the first N samples only")
    option("shard", metavar="K/N", help="measure the Kth of N parts; the reports of all parts merge to that of one run")
    option("limit", metavar="K", help=f"how deep rankings are scored, 1 to {MAX_LIMIT} (default {DEFAULT_LIMIT})")
    option("judge", metavar="|".join(JUDGES), help="record: an answer passes; strict: a miss fails (default record)")
    option("gate", action="append", metavar="GATE", help="what must hold: 'ARM METRIC[@GROUP] >= VALUE' (repeatable)")
    option("gate-report", metavar="OLD.json", help="the report that no-regression gates compare with")
    option(
        "protocol",
        metavar="PROTOCOL.toml",
        help="hypotheses that are stated before the run; the report says what came of each",
    )
    option("output", metavar="REPORT.json", help="where to write the canonical report")
    option(
        "resume",
        nargs="?",
        const=RESUMES[0],
        metavar="errors",
        help="go on with the run of --rb-output: measure what is missing, with `errors` also what failed",
    )
    option("registration", metavar="FILE", help="where to write the registration (default OUTPUT.registration.json)")
    option("top", metavar="N", help="after the table, the N worst misses and the N largest disagreements of arms")
    option("explain", metavar="ID", help="say why each arm ranked what it did for this sample, run no test")
    option("summarize", action="append", metavar="REPORT", help="merge written reports, run nothing (repeatable)")
    option("compare", nargs=2, metavar=("OLD", "NEW"), help="say what changed between two reports, run nothing")
    option("noise-floor", action="append", metavar="REPORT", help="say how far identical runs lie apart (repeatable)")
    option("noise", metavar="FLOOR.json", help="what --rb-noise-floor wrote: differences below it are noise")
    option("markdown", metavar="FILE", help="where to write what came of it as Markdown for a pull request")
    option("html", metavar="FILE.html", help="where to write a page with charts and a browser of samples")
    option("table", metavar="FILE", help="where to write a row a sample and arm: .csv or .parquet")
    option("trec", metavar="DIR", help="where to write qrels and a TREC run for each arm")
    option("cache-dir", metavar="DIR", help="where indexes of snapshots are kept (default: the user's cache folder)")
    option("no-cache", action="store_true", help="neither use nor keep indexes of snapshots")
    option("keep-workspace", action="store_true", help="keep the copy of a failed sample, and say how to ask again")
    option("snapshot-latency", action="store_true", help="time each context call without and with corvint's index")
    option("context-packets", metavar="FILE", help="capture what context printed, as JSON Lines")
    option(
        "inference",
        action="append",
        metavar="NAMES",
        help="more evidence in the report: all, or some of clustered, bca, randomization, mcnemar, holm, bh, "
        "non-inferiority, equivalence, power, comma-separated (repeatable)",
    )
    option("margin", metavar="M", help="the difference that matters, for --rb-inference (default 0.05)")
    option(
        "metrics",
        action="append",
        metavar="NAMES",
        help="measures beside the protocol's own, by name or as a set: arb (Agent Retrieval Bench, whole rankings), ir "
        "(nDCG, MAP, accuracy at fixed depths); comma-separated (repeatable)",
    )
    option("calibration", metavar="REPORT.json", help="take the thresholds for selective retrieval from this report")
    option("view-csv", metavar="FILE.csv", help="where to write the views of --rb-metrics as one long table")
    option(
        "view",
        action="append",
        metavar="NAMES",
        help=f"tables of --rb-metrics, comma-separated: {', '.join(VIEWS)} (repeatable)",
    )
    parser.addini("rb_corvint", "the corvint executable, relative to this file")
    parser.addini("rb_arms_file", "a file with [arms.NAME] tables, relative to this file")
    parser.addini("rb_data", "folder of the benchmark releases, relative to this file")
    parser.addini("rb_corpus", "folder of the snapshots, relative to this file")
    parser.addini("rb_arms", "retrievers to measure", type="args")
    parser.addini("rb_baseline_arms", "arms that the others are held against", type="args")
    parser.addini("rb_limit", "how deep rankings are scored")
    parser.addini("rb_judge", "record or strict")
    parser.addini("rb_gates", "what must hold, a gate a line", type="linelist")
    parser.addini("rb_cache_dir", "where indexes of snapshots are kept, relative to this file")


def asked(config: pytest.Config) -> bool:
    """Whether any option or ini value of the plugin is given, or samples may stand among the test paths."""
    return given(config.option) or bool(config.getini("rb_corpus"))


def given(values: argparse.Namespace) -> bool:
    """Whether any option of the plugin is among parsed ones."""
    return any(name.startswith("rb_") and value is not None for name, value in vars(values).items())


def explains(config: pytest.Config) -> bool:
    """Whether the answers to one sample are explained, and no test is to be run."""
    return getattr(config.option, dest("explain"), None) is not None


def works_on_reports(config: pytest.Config) -> bool:
    """Whether the run is about written reports, and nothing is to be run."""
    return any(getattr(config.option, dest(name), None) is not None for name in ON_REPORTS)


def settle_workers(config: pytest.Config) -> None:
    """Tells pytest-xdist of no workers where nothing is run, and else, where the user gave no `--dist`, to steal work.

    Its default scatters the items of a snapshot over the workers; its modes by group lose items after a crash
    (pytest-xdist 1323).
    """
    if works_on_reports(config) or explains(config):
        config.option.numprocesses, config.option.dist, config.option.distload, config.option.tx = None, "no", False, []
    elif asked(config) and getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


def dest(name: str) -> str:
    """Where pytest keeps the value of the option `--rb-NAME`."""
    return f"rb_{name.replace('-', '_')}"
