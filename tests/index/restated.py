"""What the protocol says of a text, one character at a time, and the pieces that make counting hard."""

from __future__ import annotations

import string
from collections.abc import Mapping
from itertools import pairwise

from pytest_retrieval_bench.index.build import IndexBuilder
from pytest_retrieval_bench.index.postings import Hits
from pytest_retrieval_bench.index.snapshot_index import SnapshotIndex
from tests.memory_snapshot import MemorySnapshot

WORD = set(string.ascii_letters + string.digits + "_")
FOLDERS_LEFT_OUT = {".git", ".corvint", ".context-corvint"}
TERMS = ["foo", "fo", "oo", "bar", "foobar", "k", "ki", "i", "9", "kk", "obar", "foofoofoo", "absent"]
WORDS = ["foo", "fooBar", "Foo", "foo_Bar", "Bar", "k", "_", "_k", "9", "absent"]
COMPOUNDS = ["foo-Bar", "-foo", "foo-", "--", "k-k", "foo--foo", "absent-"]
# Joined and split words, hyphens, the two letters that lower to ASCII, and broken UTF-8.
PIECES = [
    *(b"foo", b"Foo", b"fooBar", b"Bar", b"k", b"K", b"i", b"9", b"_", b"-", b"--", b" ", b"\n", b".", b"\r"),
    *("\u212a".encode(), "\u0130".encode(), "\u0131".encode(), "\xe9".encode(), b"\xff", b"\xe2\x84", b"\xc4", b"\xe2"),
]


def index_of(files: Mapping[str, bytes]) -> SnapshotIndex:
    """The index of these files."""
    return IndexBuilder().build(MemorySnapshot(files))


def by_path(index: SnapshotIndex, hits: Hits) -> list[dict[str, int]]:
    """For each term: how often, for each file in which it occurs at all."""
    files, counts = [index.paths[file] for file in hits.files.tolist()], hits.counts.tolist()
    edges = list(pairwise(hits.starts.tolist()))
    found = [dict(zip(files[start:end], counts[start:end], strict=True)) for start, end in edges]
    assert [len(term) for term in found] == [end - start for start, end in edges]
    return found


def whole_word(index: SnapshotIndex, word: str) -> dict[str, int]:
    """How often each file holds one whole word."""
    (found,) = by_path(index, index.whole_words([word]))
    return found


def substring(index: SnapshotIndex, term: str) -> dict[str, int]:
    """How often each file holds one term."""
    (found,) = by_path(index, index.substrings([term]))
    return found


def token(index: SnapshotIndex, name: str) -> dict[str, int]:
    """How often each file holds one bench token."""
    (found,) = by_path(index, index.tokens.hits([name.encode()]))
    return found


def readable(files: Mapping[str, bytes]) -> dict[str, str]:
    """The text of each file that a lexical arm reads."""
    return {
        path: content.decode("utf-8", "replace")
        for path, content in files.items()
        if len(content) <= 1024 * 1024
        and b"\0" not in content[: 8 * 1024]
        and not FOLDERS_LEFT_OUT & set(path.split("/")[:-1])
    }


def lowered(text: str) -> str:
    """Simple lower case: one code point to one."""
    return "".join(character.lower()[0] for character in text)


def whole_words(text: str, word: str) -> int:
    """Occurrences without a word character on either side; after an unbounded one the search goes on one further."""
    count, start = 0, text.find(word)
    while start >= 0:
        end = start + len(word)
        bounded = text[start - 1 : start] not in WORD and text[end : end + 1] not in WORD
        count += bounded
        start = text.find(word, end if bounded else start + 1)
    return count


def tokens(text: str) -> list[str]:
    """Bench tokens, as the protocol words them."""
    found, before = [""], ""
    for character in text:
        kept = character in string.ascii_letters + string.digits
        if not kept or (before in string.ascii_lowercase and character in string.ascii_uppercase):
            found.append("")
        if kept:
            found[-1] += character
        before = character if kept else " "
    return [token.lower() for token in found if token]


def answers(index: SnapshotIndex) -> dict[str, object]:
    """What the index says to each question that an arm can ask."""
    encoded = [term.encode() for term in TERMS]
    return {
        "paths": list(index.paths),
        "substrings": by_path(index, index.substrings(TERMS)),
        "whole words": by_path(index, index.whole_words(WORDS)),
        "tokens": by_path(index, index.tokens.hits(encoded)),
        "tokens of paths": by_path(index, index.path_tokens.hits(encoded)),
        "parts of paths": [
            [index.paths[number] for number in sorted(set(files.tolist()))] for files in index.paths_with(TERMS)
        ],
        "lengths": index.lengths.tolist(),
        "mean length": index.mean_length,
    }


def right_answers(files: Mapping[str, bytes]) -> dict[str, object]:
    """What counting in the texts themselves says."""
    texts = dict(sorted(readable(files).items(), key=lambda item: item[0].encode()))
    lengths = [len(tokens(text)) for text in texts.values()]
    return {
        "paths": list(texts),
        "substrings": [occurring({path: lowered(text).count(term) for path, text in texts.items()}) for term in TERMS],
        "whole words": [occurring({path: whole_words(text, word) for path, text in texts.items()}) for word in WORDS],
        "tokens": [occurring({path: tokens(text).count(term) for path, text in texts.items()}) for term in TERMS],
        "tokens of paths": [occurring({path: tokens(path).count(term) for path in texts}) for term in TERMS],
        "parts of paths": [[path for path in texts if term in lowered(path)] for term in TERMS],
        "lengths": lengths,
        "mean length": sum(lengths) / len(lengths) if lengths else 0,
    }


def occurring(counts: Mapping[str, int]) -> dict[str, int]:
    """The counts that are not 0."""
    return {path: count for path, count in counts.items() if count}
