"""ARB 3, Rankers: one chunk and one token at a time, the whole corpus read anew for each query.

A chunk is a row of a chunk file; a ranking is the whole one, best first: pairs of path and score.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from .text import bench_tokens

Chunk = dict[str, Any]
Ranking = list[tuple[str, float]]

GENERIC = [
    "add", "app", "args", "build", "call", "case", "check", "class", "close", "config", "context", "data", "default",
    "delete", "error", "event", "file", "find", "get", "handle", "helper", "init", "item", "list", "load", "main",
    "make", "mock", "model", "name", "node", "option", "options", "parse", "path", "read", "render", "request",
    "response", "result", "run", "save", "server", "set", "state", "string", "test", "tests", "type", "update",
    "value", "write",
]  # fmt: skip


def document(chunk: Chunk) -> list[str]:
    """The tokens of a chunk as a document (ARB 3)."""
    parts = [chunk["path"], chunk["symbol"], chunk["kind"], chunk["text"]]
    return bench_tokens(" ".join(part for part in parts if part))


def by_best_chunk(scored: list[tuple[float, Chunk]]) -> Ranking:
    """Files by their best chunk: score descending, path and id ascending (ARB 3)."""
    best: dict[str, float] = {}
    for score, chunk in sorted(scored, key=lambda entry: (-entry[0], entry[1]["path"], entry[1]["chunk_id"])):
        best.setdefault(chunk["path"], score)
    return list(best.items())


def lexical(query: str, chunks: list[Chunk]) -> Ranking:
    """ARB 3.1."""
    counts = Counter(bench_tokens(query))
    documents = [set(document(chunk)) for chunk in chunks]
    lowered = query.lower()
    scored = []
    for chunk, tokens in zip(chunks, documents, strict=True):
        score = 0.0
        for token, count in counts.items():
            if token in tokens:
                holders = sum(token in other for other in documents)
                score += (1.0 + math.log(count)) * math.log((len(chunks) + 1) / (1 + holders) + 1.0)
        if chunk["path"].lower() in lowered:
            score += 25.0
        if PurePosixPath(chunk["path"]).name.lower() in lowered:
            score += 8.0
        if chunk["symbol"] and chunk["symbol"].lower() in lowered:
            score += 5.0
        scored.append((score / max(1.0, math.sqrt(len(tokens))), chunk))
    return by_best_chunk(scored)


def bm25(query: str, chunks: list[Chunk]) -> Ranking:
    """ARB 3.2."""
    counts = Counter(bench_tokens(query))
    documents = [document(chunk) for chunk in chunks]
    mean = sum(map(len, documents)) / len(documents)
    scored = []
    for chunk, tokens in zip(chunks, documents, strict=True):
        score = 0.0
        for token, count in counts.items():
            frequency = tokens.count(token)
            if frequency:
                holders = sum(token in other for other in documents)
                idf = math.log(1.0 + (len(chunks) - holders + 0.5) / (holders + 0.5))
                norm = 1.0 - 0.75 + 0.75 * (len(tokens) / mean)
                score += count * idf * ((frequency * 2.5) / (frequency + 1.5 * norm))
        scored.append((score, chunk))
    return by_best_chunk(scored)


def grep(patterns: Sequence[tuple[str, str, float]], chunks: list[Chunk]) -> Ranking:
    """ARB 3.4, over patterns of term, kind and weight."""
    best: dict[str, dict[str, float]] = {}
    best_chunk: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for chunk in chunks:
        path, name = chunk["path"].lower(), PurePosixPath(chunk["path"]).name.lower()
        text, symbol = chunk["text"].lower(), chunk["symbol"].lower()
        matched: dict[str, float] = {}
        for term, kind, weight in patterns:
            score = 0.0
            if term in path:
                score += weight * (2.0 if kind == "file_path" else 1.35)
            if term in name:
                score += weight * 1.1
            if term in symbol:
                score += weight * 1.2
            whole = re.search(rf"(?<![A-Za-z0-9_]){re.escape(term)}(?![A-Za-z0-9_])", text)
            if whole if kind == "token" else term in text:
                score += weight
            if score:
                matched[term] = score
        if matched:
            of_file = best.setdefault(chunk["path"], {})
            hits[chunk["path"]] += 1
            best_chunk[chunk["path"]] = max(best_chunk[chunk["path"]], sum(matched.values()))  # type: ignore[assignment]
            for term, score in matched.items():
                of_file[term] = max(of_file.get(term, 0.0), score)
    files = [
        (path, sum(scores.values()) + min(2.0, 0.25 * math.log1p(hits[path])), len(scores), best_chunk[path])
        for path, scores in best.items()
    ]
    return [
        (path, score) for path, score, *_ in sorted(files, key=lambda file: (-file[1], -file[2], -file[3], file[0]))
    ]


def key_of(symbol: str) -> str:
    """The key of an informative symbol, else an empty text (ARB 3.3)."""
    key = "".join(bench_tokens(symbol))
    return "" if len(key) < 4 or key in GENERIC or key.isdigit() else key


def symbol_edges(files: dict[str, set[str]], symbols: dict[str, list[str]]) -> Counter[tuple[str, str]]:
    """Edges from files of code, given by their tokens, to files that define what they use (ARB 3.3).

    Ties are walked by the SHA-256 of keys: the one place where the benchmark's toolkit is not repeatable.
    """
    defining: dict[str, set[str]] = {}
    votes: dict[str, set[str]] = {}
    needed: dict[str, int] = {}
    for path in files:
        for symbol in symbols[path]:
            defining.setdefault(key_of(symbol), set()).add(path)
    for path in files:
        for symbol in symbols[path]:
            parts = {token for token in bench_tokens(symbol) if len(token) >= 3 and token not in GENERIC}
            if len(parts) > 1 or any(len(part) >= 8 for part in parts):
                votes.setdefault(key_of(symbol), set()).update(parts)
                needed[key_of(symbol)] = len(parts)
    edges: Counter[tuple[str, str]] = Counter()
    for path, tokens in files.items():
        counts = {key: len(tokens & parts) for key, parts in votes.items() if len(defining[key]) <= 8}
        walked = sorted(
            (key for key in counts if counts[key]),
            key=lambda key: (-counts[key], hashlib.sha256(key.encode()).hexdigest()),
        )
        targets: list[str] = []
        for key in walked[:320]:
            if counts[key] >= needed[key]:
                targets += [target for target in sorted(defining[key]) if target not in (path, *targets)]
        for target in targets[:80]:
            edges[path, target] += 1
            edges[target, path] += 1
    return edges


def page_rank(graph: dict[tuple[str, str], float], start: dict[str, float]) -> dict[str, float]:
    """24 rounds with damping 0.85; whoever has no edge goes back to the start (ARB 3.3)."""
    total = sum(start.values())
    base = {path: value / total for path, value in start.items()}
    out = {path: sum(weight for (source, _), weight in graph.items() if source == path) for path in start}
    ranks = dict(base)
    for _ in range(24):
        stuck = sum(ranks[path] for path in start if not out[path])
        following = {path: (0.15 + 0.85 * stuck) * base[path] for path in start}
        for (source, target), weight in graph.items():
            following[target] += 0.85 * ranks[source] * weight / out[source]
        ranks = following
    return ranks


def rrf(rankings: list[list[str]]) -> Ranking:
    """ARB 3.6."""
    paths = {path for ranking in rankings for path in ranking[:20]}
    scores = {path: sum(1 / (60 + r[:20].index(path) + 1) for r in rankings if path in r[:20]) for path in paths}
    return sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))[:20]
