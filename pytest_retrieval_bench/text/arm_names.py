"""The names of arms in a list: some are made of other names, as `rrf(grep,bm25:all)` is."""

from __future__ import annotations

FUSION = "rrf("


def split_names(listed: str) -> list[str]:
    """The names of a comma-separated list, without blanks around them; a comma inside of `rrf(…)` does not separate.

    >>> split_names("grep, rrf(grep, bm25:all)")
    ['grep', 'rrf(grep,bm25:all)']
    """
    names, rest = [], listed.strip()
    while rest:
        end = _end_of_fusion(rest) if rest.startswith(FUSION) else 0
        name, _, behind = rest[end:].partition(",")
        names.append((_tidy(rest[:end]) + name).strip())
        rest = behind.strip()
    return [name for name in names if name]


def components(name: str) -> list[str] | None:
    """The names that a fusion is made of; None for a name that is no fusion.

    >>> components("rrf(grep,rrf(a,b))")
    ['grep', 'rrf(a,b)']
    """
    if not name.startswith(FUSION) or not name.endswith(")"):
        return None
    return split_names(name.removeprefix(FUSION).removesuffix(")"))


def _end_of_fusion(text: str) -> int:
    """Where the parenthesis is closed that the text opens; its whole length where it is not."""
    depth = 0
    for place, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == ")" and depth == 0:
            return place + 1
    return len(text)


def _tidy(fusion: str) -> str:
    """A fusion without blanks around the names in it."""
    parts = components(fusion)
    return fusion if parts is None else f"{FUSION}{','.join(parts)})"
