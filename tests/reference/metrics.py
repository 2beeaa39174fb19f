"""PROTOCOL 5, Metrics: what is kept of a ranking, and what it is worth."""

from .samples import Row, gold, gold_spans, hard_negatives, stratum

POSITIVE_METRICS = ("mrr@k", "precision@k", "f1@k", "hit@k", "hard_negative_hits@k")


def without_given(ranking: list[tuple[str, float]], given: list[str]) -> list[tuple[str, float]]:
    """The ranking without the given files (PROTOCOL 4)."""
    return [(path, score) for path, score in ranking if path not in given]


def keep(ranking: list[tuple[str, float]], given: list[str], limit: int) -> list[str]:
    """The paths that count: distinct, given files removed, then cut at the limit (PROTOCOL 4)."""
    return list(dict.fromkeys(path for path, _ in without_given(ranking, given)))[:limit]


def top_score(ranking: list[tuple[str, float]], given: list[str]) -> float | None:
    """The best score after the given files are removed, not rounded (PROTOCOL 4)."""
    left = without_given(ranking, given)
    return left[0][1] if left else None


def recall_names(limit: int) -> list[str]:
    """The recall members at this limit (PROTOCOL 5)."""
    return [f"recall@{k}" for k in (5, 10, 20) if k <= limit]


def hits(found: list[str], wanted: list[str]) -> int:
    """How many of the found paths are wanted."""
    return sum(1 for path in found if path in wanted)


def first_hit(found: list[str], wanted: list[str]) -> int:
    """The rank of the first wanted path, from one; 0 where there is none."""
    for rank, path in enumerate(found, start=1):
        if path in wanted:
            return rank
    return 0


def metrics(row: Row, kept: list[str], abstained: bool, limit: int, errored: bool) -> dict[str, float]:
    """Every metric but the four `cb_*`, by its literal name (PROTOCOL 5)."""
    if stratum(row) != "positive":
        return {
            "abstained": float(abstained and not errored),
            "selective_success": float(abstained and not errored),
        }
    if errored:
        return dict.fromkeys(["abstained", "selective_success", *POSITIVE_METRICS, *recall_names(limit)], 0.0)
    wanted = gold(row)
    values: dict[str, float] = {}
    for k in (5, 10, 20):
        if k <= limit:
            values[f"recall@{k}"] = hits(kept[:k], wanted) / len(wanted)
    rank = first_hit(kept, wanted)
    precision = hits(kept, wanted) / min(limit, len(kept)) if kept else 0.0
    recall = hits(kept, wanted) / len(wanted)
    values["mrr@k"] = 1 / rank if rank else 0.0
    values["precision@k"] = precision
    values["f1@k"] = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
    values["hit@k"] = float(rank > 0)
    values["hard_negative_hits@k"] = float(hits(kept, hard_negatives(row)))
    values["abstained"] = float(abstained)
    values["selective_success"] = float(not abstained and rank > 0)
    return values


def line_count(content: bytes) -> int:
    """LF count, and one more if the last byte is no LF; 0 if empty (PROTOCOL 5)."""
    unfinished = content != b"" and not content.endswith(b"\n")
    return content.count(b"\n") + (1 if unfinished else 0)


def share(part: int, whole: int) -> float:
    """A part of a whole; 1 of nothing (PROTOCOL 5)."""
    return part / whole if whole else 1.0


def contextbench_metrics(row: Row, kept: list[str], snapshot: dict[str, bytes]) -> dict[str, float]:
    """The four `cb_*` of an error-free arm (PROTOCOL 5).

    Sets of single lines stand for the intervals, so that there is nothing to merge.
    """
    gold_files = set(gold(row))
    gold_lines = {(path, line) for path, start, end in gold_spans(row) for line in range(start, end + 1)}
    predicted_files = set(kept)
    predicted_lines = {
        (path, line) for path in predicted_files for line in range(1, line_count(snapshot.get(path, b"")) + 1)
    }
    shared_files = len(gold_files & predicted_files)
    shared_lines = len(gold_lines & predicted_lines)
    return {
        "cb_file_coverage": share(shared_files, len(gold_files)),
        "cb_file_precision": share(shared_files, len(predicted_files)),
        "cb_line_coverage": share(shared_lines, len(gold_lines)),
        "cb_line_precision": share(shared_lines, len(predicted_lines)),
    }
