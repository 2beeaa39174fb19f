"""TREC files: every reader finds the metrics of the report in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote

import ir_measures
import pytest
import ranx
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import RR, R, SetF, SetP, Success

from pytest_retrieval_bench.reporting.exports.trec import trec_files
from tests.reporting.small_reports import GOLD, LIMIT, metrics, row

_read_qrels: Any = ir_measures.read_trec_qrels
_read_run: Any = ir_measures.read_trec_run

PATHS = [GOLD, "a.py", "b b.py", "c%.py", "\u00e9.py", "d.py"]
RANKINGS = st.none() | st.lists(st.sampled_from(PATHS), max_size=5, unique=True)
NAMES = ("recall@5", "mrr@k", "hit@k", "precision@k", "f1@k")


def written_files(folder: Path, rankings: list[Any]) -> tuple[Path, Path, dict[str, float]]:
    """The qrels, the run, and the means that the report has."""
    rows = [row(f"s {number}", {"mine": ranking}) for number, ranking in enumerate(rankings)]
    for name, data in trec_files({"details": rows, "arms": {"mine": {}}}).items():
        (folder / name).write_bytes(data)
    scored = [metrics(ranking, positive=True) for ranking in rankings]
    means = {name: sum(values[name] for values in scored) / len(scored) for name in NAMES}
    return folder / "qrels.txt", folder / "mine.run", means


@given(st.lists(RANKINGS, min_size=1, max_size=8))
@settings(deadline=None, max_examples=30)
def test_ir_measures_reads_the_metrics_of_the_report(
    tmp_path_factory: pytest.TempPathFactory, rankings: list[Any]
) -> None:
    qrels, run, expected = written_files(tmp_path_factory.mktemp("trec"), rankings)
    measures = dict(zip(NAMES, (R @ 5, RR @ LIMIT, Success @ LIMIT, SetP, SetF), strict=True))
    judged, ranked = list(_read_qrels(str(qrels))), list(_read_run(str(run)))
    found = ir_measures.calc_aggregate(list(measures.values()), judged, ranked)
    assert {name: found[measure] for name, measure in measures.items()} == pytest.approx(expected, abs=1e-9)


@pytest.mark.filterwarnings("ignore:unsafe cast from uint64")
def test_ranx_reads_the_metrics_of_the_report(tmp_path: Path) -> None:
    longest = ["a.py", "b b.py", "c%.py", "\u00e9.py", GOLD]
    rankings = [[GOLD], ["a.py", GOLD, "d.py"], [], ["d.py", "a.py"], None, longest]
    qrels, run, expected = written_files(tmp_path, rankings)
    measures = ("recall@5", f"mrr@{LIMIT}", f"hit_rate@{LIMIT}", "precision", "f1")
    names = dict(zip(NAMES, measures, strict=True))
    judged, ranked = ranx.Qrels.from_file(str(qrels), kind="trec"), ranx.Run.from_file(str(run), kind="trec")
    found = ranx.evaluate(judged, ranked, list(measures), make_comparable=True)
    assert {name: found[measure] for name, measure in names.items()} == pytest.approx(expected, abs=1e-9)


@given(st.text(min_size=1), st.text(min_size=1))
def test_any_id_and_path_is_one_token_that_reads_back(identity: str, path: str) -> None:
    identity, path = (text.encode("utf-8", "replace").decode() for text in (identity, path))
    details = [row(identity, {"mine": [path]}, gold=[path])]
    files = trec_files({"details": details, "arms": {"mine": {}}})
    (run,), (judged,) = (
        [line.split() for line in files[name].decode("ascii").splitlines()] for name in ("mine.run", "qrels.txt")
    )
    assert (unquote(run[0]), unquote(run[2]), *run[3:]) == (identity, path, "1", "1", "mine")
    assert (unquote(judged[0]), unquote(judged[2])) == (identity, path)


def test_an_arm_that_measured_a_part_has_the_qrels_of_that_part() -> None:
    rows = [row("a", {"x": [GOLD], "y": [GOLD]}), row("b", {"x": [GOLD]})]
    files = trec_files({"details": rows, "arms": {"x": {}, "y": {}}})
    assert list(files) == ["qrels.txt", "x.run", "y.run", "y.qrels.txt"]
    assert files["qrels.txt"].decode() == f"a 0 {GOLD} 1\nb 0 {GOLD} 1\n"
    assert files["y.qrels.txt"].decode() == f"a 0 {GOLD} 1\n"


def test_arms_whose_names_no_file_can_have_have_a_file_each() -> None:
    arms = ["bm25:all", "bm25_all", "BM25/all", "../up", "a b"]
    names = list(trec_files({"details": [], "arms": dict.fromkeys(arms)}))
    assert names == ["qrels.txt", "bm25_all.run", "bm25_all-2.run", "BM25_all-3.run", ".._up.run", "a_b.run"]
