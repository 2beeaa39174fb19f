"""The measures of Agent Retrieval Bench once more, as the words of their definition say them: slow and plain."""

from __future__ import annotations

import math
import re

Chunk = tuple[str, int, int, str, int]  # path, first line, last line, kind, characters
TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[^A-Za-z0-9_\s]")


def of_files(ranked: list[str], gold: list[str], hard_negatives: list[str]) -> dict[str, float]:
    """Ranks count from 1; a gold file that is not ranked has none."""
    ranks = {path: ranked.index(path) + 1 for path in gold if path in ranked}
    found: dict[str, float] = {"MRR": 1 / min(ranks.values()) if ranks else 0}

    def recall(depth: int) -> float:
        return len([rank for rank in ranks.values() if rank <= depth]) / len(gold)

    for k in (5, 10, 20):
        top = ranked[:k]
        p = len([path for path in top if path in gold]) / min(k, len(ranked)) if ranked else 0
        r = recall(k)
        found[f"Recall@{k}"] = r
        found[f"Precision@{k}"] = p
        found[f"F0.5@{k}"] = 0 if p == r == 0 else 1.25 * p * r / (0.25 * p + r)
        found[f"Any@{k}"] = 1 if r else 0
        found[f"irrelevant_files@{k}"] = len([path for path in top if path not in gold])
        found[f"hard_negative_hits@{k}"] = len([path for path in top if path in hard_negatives])
    found["coverage_auc@20"] = sum(recall(depth) for depth in range(1, 21)) / 20
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(gold), 20) + 1))
    found["nDCG@20"] = sum(1 / math.log2(rank + 1) for rank in ranks.values() if rank <= 20) / ideal
    return found


def packed(chunks: list[Chunk]) -> list[Chunk]:
    """The longest beginning that fits into 8,000 characters, or the first chunk and what stands before it."""
    count = 0
    while count < len(chunks) and (
        sum(chunk[4] for chunk in chunks[:count]) == 0 or sum(chunk[4] for chunk in chunks[: count + 1]) <= 8000
    ):
        count += 1
    return chunks[:count]


def of_packing(chosen: list[Chunk], gold: list[str]) -> dict[str, float]:
    used = sum(chunk[4] for chunk in chosen)
    useful = sum(chunk[4] for chunk in chosen if chunk[0] in gold)
    paths = {chunk[0] for chunk in chosen}
    return {
        "gold_coverage@8k": len(paths & set(gold)) / len(gold),
        "context_pollution_tokens@8k": used - useful,
        "gold_token_ratio@8k": useful / used if used else 0,
        "context_efficiency@8k": useful / used if used else 0,
        "redundancy@8k": 1 - len(paths) / len(chosen) if chosen else 0,
    }


def of_lines(chosen: list[Chunk], spans: list[tuple[str, int, int]]) -> dict[str, float]:
    """Each line is a pair of path and number."""
    wanted = {(path, line) for path, first, last in spans for line in range(first, last + 1)}
    named = {(path, line) for path, first, last, _, _ in chosen for line in range(first, last + 1)}
    both = len(wanted & named)
    counts = {"line_gold_count": len(wanted), "line_predicted_count": len(named), "line_overlap_count": both}
    return shares("line", both / len(wanted), both / len(named) if named else 0) | counts


def of_blocks(chosen: list[Chunk], blocks: list[tuple[str, int, int]]) -> dict[str, float]:
    named = {chunk[:3] for chunk in chosen if chunk[3] != "file"}

    def overlap(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
        return one[0] == other[0] and any(other[1] <= line <= other[2] for line in range(one[1], one[2] + 1))

    found = len([block for block in blocks if any(overlap(block, chunk) for chunk in named)])
    right = len([chunk for chunk in named if any(overlap(block, chunk) for block in blocks)])
    counts = {"gold_blocks": len(blocks), "predicted_blocks": len(named), "matched_blocks": found}
    return shares("block", found / len(blocks), right / len(named) if named else 0) | counts


def shares(what: str, r: float, p: float) -> dict[str, float]:
    return {
        f"{what}_recall@8k": r,
        f"{what}_precision@8k": p,
        f"{what}_f1@8k": 2 * p * r / (p + r) if p + r else 0,
        f"{what}_f0.5@8k": 1.25 * p * r / (0.25 * p + r) if p + r else 0,
    }


def of_budget(ranked: list[str], gold: list[str], texts: dict[str, str], budget: int, tau: int) -> dict[str, float]:
    """Writes the context token by token; each token knows the file whose text it is of."""
    context: list[str | None] = []
    packed = partial = missing = 0
    for path in ranked[:20]:
        if len(context) >= budget:
            break
        if path not in texts:
            missing += 1
            continue
        written: list[str | None] = [None] * len(TOKEN.findall(f"### {path}\n"))
        written += [path] * len(TOKEN.findall(texts[path]))
        written += [None] if texts[path] else []
        packed += 1
        partial += len(context) + len(written) > budget
        context += written
    shown = context[:budget]
    lengths = {path: len(TOKEN.findall(text)) for path, text in texts.items()}
    covered = [path for path in gold if lengths.get(path, 0) > 0 and shown.count(path) >= min(tau, lengths[path])]
    size = f"{budget // 1000}k"
    return {
        f"BCY@{size}" + (f"/{tau}" if tau > 1 else ""): len(covered) / len(gold),
        f"BCY_used_tokens@{size}": len(shown),
        f"BCY_packed_files@{size}": packed,
        f"BCY_partial_files@{size}": partial,
        f"BCY_missing_ranked_files@{size}": missing,
    }
