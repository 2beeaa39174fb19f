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
from ir_measures import RR, R, Success

from pytest_retrieval_bench.reporting.exports.trec import trec_files
from tests.reporting.small_reports import GOLD, LIMIT, metrics, row

_read_qrels: Any = ir_measures.read_trec_qrels
_read_run: Any = ir_measures.read_trec_run

PATHS = [GOLD, "a.py", "b b.py", "c%.py", "\u00e9.py", "d.py"]
RANKINGS = st.none() | st.lists(st.sampled_from(PATHS), max_size=5, unique=True)
NAMES = ("recall@5", "mrr@k", "hit@k")


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
    measures = dict(zip(NAMES, (R @ 5, RR @ LIMIT, Success @ LIMIT), strict=True))
    judged, ranked = list(_read_qrels(str(qrels))), list(_read_run(str(run)))
    found = ir_measures.calc_aggregate(list(measures.values()), judged, ranked)
    assert {name: found[measure] for name, measure in measures.items()} == pytest.approx(expected, abs=1e-9)


@pytest.mark.filterwarnings("ignore:unsafe cast from uint64")
def test_ranx_reads_the_metrics_of_the_report(tmp_path: Path) -> None:
    rankings = [[GOLD], ["a.py", GOLD, "d.py"], ["d.py", "a.py"], ["a.py", "b b.py", "c%.py", "\u00e9.py", GOLD]]
    qrels, run, expected = written_files(tmp_path, rankings)
    names = dict(zip(NAMES, ("recall@5", f"mrr@{LIMIT}", f"hit_rate@{LIMIT}"), strict=True))
    judged, ranked = ranx.Qrels.from_file(str(qrels), kind="trec"), ranx.Run.from_file(str(run), kind="trec")
    found = ranx.evaluate(judged, ranked, list(names.values()))
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


def test_arms_whose_names_no_file_can_have_have_a_file_each() -> None:
    arms = ["bm25:all", "bm25_all", "BM25/all", "../up", "a b"]
    names = list(trec_files({"details": [], "arms": dict.fromkeys(arms)}))
    assert names == ["qrels.txt", "bm25_all.run", "bm25_all-2.run", "BM25_all-3.run", ".._up.run", "a_b.run"]
