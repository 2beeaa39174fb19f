"""PROTOCOL 4, Arms: the four lexical arms, by scanning every file for every term.

A ranking is the whole one, best first, given files included: pairs of path and score.
"""

import math

from .samples import Row, query_text, strings_for_identifiers
from .text import bench_tokens, grep_terms, query_identifiers, simple_lower

Ranking = list[tuple[str, float]]

WORD_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
K1 = 1.2
B = 0.75


def path_bytes(path: str) -> bytes:
    """What paths are ordered by (PROTOCOL 4)."""
    return path.encode("utf-8", "surrogateescape")


def best_first(counted: list[tuple[str, int, int]]) -> Ranking:
    """Order (path, score, occurrences): the two numbers descending, then the path ascending (PROTOCOL 4)."""
    ordered = sorted(counted, key=lambda entry: (-entry[1], -entry[2], path_bytes(entry[0])))
    return [(path, float(score)) for path, score, _ in ordered if score > 0]


def grep(files: dict[str, str], query: str) -> Ranking:
    """The grep arm over a query text (PROTOCOL 4, grep)."""
    terms = grep_terms(query)
    counted: list[tuple[str, int, int]] = []
    for path, text in files.items():
        lowered = simple_lower(text)
        path_tokens = bench_tokens(path)
        distinct = 0
        occurrences = 0
        for term in terms:
            if term in path_tokens:
                distinct += 2
            elif term in lowered:
                distinct += 1
            occurrences += lowered.count(term)
        counted.append((path, distinct, occurrences))
    return best_first(counted)


def is_word_character(text: str, position: int) -> bool:
    """Say whether there is an ASCII word character at this position."""
    return 0 <= position < len(text) and text[position] in WORD_CHARACTERS


def whole_words(text: str, identifier: str) -> int:
    """How often an identifier occurs as a whole word (PROTOCOL 4, grep-ident)."""
    count = 0
    start = text.find(identifier)
    while start >= 0:
        end = start + len(identifier)
        if is_word_character(text, start - 1) or is_word_character(text, end):
            start = text.find(identifier, start + 1)
        else:
            count += 1
            # After a bounded hit the search goes on behind it. Open in the prose, not decided by the values.
            start = text.find(identifier, end)
    return count


def grep_ident(files: dict[str, str], identifiers: list[str]) -> Ranking:
    """The grep-ident arm over query identifiers (PROTOCOL 4, grep-ident)."""
    counted: list[tuple[str, int, int]] = []
    for path, text in files.items():
        lowered_path = simple_lower(path)
        score = 0
        occurrences = 0
        for identifier in identifiers:
            hits = whole_words(text, identifier)
            occurrences += hits
            if hits > 0:
                score += 1
            if simple_lower(identifier) in lowered_path:
                score += 1
        counted.append((path, score, occurrences))
    return best_first(counted)


def bm25(files: dict[str, str], terms: list[str]) -> Ranking:
    """Whole-file BM25 over sorted terms (PROTOCOL 4, bm25)."""
    tokens = {path: bench_tokens(text) for path, text in files.items()}
    total = sum(len(words) for words in tokens.values())
    if total == 0:
        return []
    mean = total / len(files)
    scores = dict.fromkeys(files, 0.0)
    for term in terms:
        frequencies = {path: words.count(term) for path, words in tokens.items()}
        holders = sum(1 for frequency in frequencies.values() if frequency > 0)
        idf = math.log(1 + (len(files) - holders + 0.5) / (holders + 0.5))
        for path, frequency in frequencies.items():
            length = len(tokens[path])
            scores[path] += idf * frequency * 2.2 / (frequency + K1 * (1 - B + B * length / mean))
    ordered = sorted(scores, key=lambda path: (-scores[path], path_bytes(path)))
    return [(path, scores[path]) for path in ordered if scores[path] > 0]


def bm25_all(files: dict[str, str], query: str) -> Ranking:
    """BM25 over the grep terms of a query text (PROTOCOL 4, bm25:all)."""
    return bm25(files, grep_terms(query))


def bm25_ident(files: dict[str, str], identifiers: list[str]) -> Ranking:
    """BM25 over the distinct bench tokens of the identifiers, of any length (PROTOCOL 4, bm25:ident)."""
    return bm25(files, sorted({token for identifier in identifiers for token in bench_tokens(identifier)}))


def lexical_rankings(row: Row, files: dict[str, str]) -> dict[str, Ranking]:
    """The whole rankings of the four lexical arms for one sample, by arm (PROTOCOL 4)."""
    text = query_text(row)
    identifiers = query_identifiers(strings_for_identifiers(row))
    return {
        "grep": grep(files, text),
        "grep-ident": grep_ident(files, identifiers),
        "bm25:all": bm25_all(files, text),
        "bm25:ident": bm25_ident(files, identifiers),
    }
