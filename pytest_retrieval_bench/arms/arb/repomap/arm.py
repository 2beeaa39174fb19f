"""The arm `arb:repomap` (ARB 3.3)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.arms.arb.corpus import Candidates, Corpus
from pytest_retrieval_bench.arms.arb.ranker import Ranker
from pytest_retrieval_bench.arms.arb.repomap.repo_map import RepoMap, repo_map
from pytest_retrieval_bench.index.per_snapshot import PerSnapshot
from pytest_retrieval_bench.index.postings import summed
from pytest_retrieval_bench.model import Answer, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.text.tokens import bench_tokens

Floats = npt.NDArray[np.float64]

_QUERY, _PAGE_RANK, _AFFINITY = 0.65, 0.25, 0.10
_PATH_BONUS, _NAME_BONUS = 20.0, 7.0


class RepoMapArm(Ranker):
    """Ranks files by the words of the query, by a walk from these files along the graph, and by the task.

    Each of the three is divided by its highest value, and they count 0.65, 0.25 and 0.10; ties by path. All candidates
    are ranked. The map is that of the whole snapshot; the candidate filter only leaves files out of the ranking.
    """

    def __init__(self, name: str, corpus: Corpus) -> None:
        super().__init__(name, corpus)
        self._maps = PerSnapshot(lambda snapshot: repo_map(corpus.tables.of(snapshot)))

    def ranked(self, query: Query, snapshot: Snapshot, candidates: Candidates) -> Answer:
        """The whole ranking, scored as above."""
        found = self._maps.of(snapshot)
        by_query, by_task = query_scores(query.text, found), task_affinity(query, found)
        start = by_query + np.maximum(by_task, 0.0)
        walked = found.page_rank(start if start.any() else np.ones_like(start))
        scores = (
            _QUERY * (by_query / (by_query.max() or 1.0))
            + _PAGE_RANK * (walked / (walked.max() or 1.0))
            + _AFFINITY * (by_task / (np.abs(by_task).max() or 1.0))
        )
        files = np.flatnonzero(candidates.files)
        order = files[np.argsort(-scores[files], kind="stable")]
        return Answer(tuple(found.files.paths[number] for number in order.tolist()), tuple(scores[order].tolist()))


def query_scores(query_text: str, found: RepoMap) -> Floats:
    """By file: the weights of the query's tokens in it and what it gets for its path, over the root of its tokens."""
    counts = Counter(bench_tokens(query_text))
    hits = found.postings.hits([token.encode() for token in counts])
    frequencies = np.diff(hits.starts)
    paths = found.files.paths
    idf = [math.log((len(paths) + 1) / (frequency + 1)) + 1.0 for frequency in frequencies.tolist()]
    rate = [1.0 + math.log(count) for count in counts.values()]
    # A token counts once where only the text holds it, twice for a symbol, three times for the path.
    values = np.repeat(rate, frequencies) * (np.repeat(idf, frequencies) * hits.counts)
    scores = summed(hits.files, values, len(paths))
    lowered = query_text.lower()
    named = [number for number, path in enumerate(paths) if path.rpartition("/")[2].lower() in lowered]
    scores[[number for number in named if paths[number].lower() in lowered]] += _PATH_BONUS
    scores[named] += _NAME_BONUS
    return scores / np.maximum(1.0, np.sqrt(found.token_counts))


def task_affinity(query: Query, found: RepoMap) -> Floats:
    """By file: how near it is to what the query names, and what the kind of the task says of it."""
    files = found.files
    numbers = {path: number for number, path in enumerate(files.paths)}
    mentioned = np.zeros(len(numbers))
    mentioned[[numbers[path] for path in _mentioned(query, numbers)]] = 1.0
    near = (found.graph > 0).astype(np.float64)
    affinity: Floats = 0.4 * mentioned + near @ mentioned
    tests, sources = files.tests.astype(np.float64), files.sources.astype(np.float64)
    if query.task_type == "code2test":
        affinity += tests
    elif query.task_type == "trace2code":
        affinity += 0.5 * sources - 0.2 * tests
    elif query.task_type == "comment2context":
        given = np.zeros(len(numbers))
        given[[numbers[path] for path in query.given if path in numbers]] = 1.0
        affinity += 0.8 * (near @ given) - given
    return affinity


def _mentioned(query: Query, paths: dict[str, int]) -> Iterator[str]:
    """The paths of the snapshot that the query names, in a field of its own or anywhere in its text."""
    named = [query.fields.get(name) for name in ("changed_file", "given_file", "path")]
    for name in ("implementation_files", "changed_files"):
        listed = query.fields.get(name)
        named += listed if isinstance(listed, list) else []
    lowered = query.text.lower()
    yield from (path for path in named if isinstance(path, str) and path in paths)
    yield from (path for path in paths if path.lower() in lowered)
