"""What of a ranking of chunks fits into 8,000 characters: the benchmark's older measures, and those of lines.

They are no Budgeted Context Yield (see `budgeted_yield`): a chunk is not cut, and characters are counted, although the
names say tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from pytest_retrieval_bench.model import PACKED_CHARS, Answer, Chunk

TextOf = Callable[[str], str | None]


def chunks_of(answer: Answer, text_of: TextOf) -> Iterator[Chunk]:
    """The chunks of an answer, best first, each looked at only when it is asked for.

    An answer of files has none: then each ranked file is one with its whole text, or with its path where it has no
    text, or, where the answer names lines, with these.
    """
    if answer.chunks is not None:
        yield from answer.chunks
    elif answer.lines is not None:
        for path, lines in dict.fromkeys(zip(answer.ranking, answer.lines, strict=True)):
            yield _whole(path, text_of) if lines is None else _block(path, lines, text_of)
    else:
        for path in dict.fromkeys(answer.ranking):
            yield _whole(path, text_of)


def packed(chunks: Iterable[Chunk]) -> list[Chunk]:
    """The chunks up to the first one that does not fit, which ends the packing; the first always fits."""
    used, chosen = 0, []
    for chunk in chunks:
        if used and used + chunk.chars > PACKED_CHARS:
            break
        used += chunk.chars
        chosen.append(chunk)
    return chosen


def packing_measures(chosen: Sequence[Chunk], gold: Collection[str]) -> dict[str, float]:
    """Each of `PACKING_MEASURES` for packed chunks; pollution counts characters, the others are shares."""
    paths = {chunk.path for chunk in chosen}
    used = sum(chunk.chars for chunk in chosen)
    useful = sum(chunk.chars for chunk in chosen if chunk.path in gold)
    ratio = useful / used if used else 0
    return {
        "gold_coverage@8k": sum(path in paths for path in gold) / len(gold),
        "context_pollution_tokens@8k": used - useful,
        "gold_token_ratio@8k": ratio,
        "context_efficiency@8k": ratio,
        "redundancy@8k": (len(chosen) - len(paths)) / len(chosen) if chosen else 0,
    }


def _whole(path: str, text_of: TextOf) -> Chunk:
    return Chunk(path, kind="file", chars=len(text_of(path) or path))


def _block(path: str, lines: tuple[int, int], text_of: TextOf) -> Chunk:
    first, last = lines
    return Chunk(path, lines, chars=len("\n".join((text_of(path) or "").split("\n")[first - 1 : last])))
