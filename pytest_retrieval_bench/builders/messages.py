"""A commit's message as a question: without what names persons, tickets and other commits."""

from __future__ import annotations

import re

# Trailers as Git, GitHub and Gerrit write them, wherever they stand.
_TRAILER = re.compile(
    r"\s*(?:[A-Za-z-]+-by|cc|change-id|reviewed-on|closes|fixes|resolves|refs?|references|see-also|git-svn-id|bug|issue"
    r"|link|thanks(?:-to)?)\s*:.*|\(cherry picked from commit .*|\s*(?:closes|fixes|resolves|refs?)\s+#\d+\.?",
    re.IGNORECASE,
)
_ANY_TRAILER = re.compile(r"[A-Za-z][A-Za-z0-9-]*:\s.*")
# `fix(cart)!: ` and `SHOP-12: `, in this order or the other.
_BEFORE_SUBJECT = re.compile(
    r"\A(?:(?:(?:build|chore|ci|docs|feat|fix|perf|refactor|style|test)(?:\([^)\n]*\))?!?:"
    r"|\[?[A-Z][A-Z0-9]+-\d+\]?:?)\s+)+"
)
_NUMBER = r"(?:(?:\b[\w.-]{1,100}/[\w.-]{1,100}|\bGH)?[#!]\d+\b|\bGH-\d+\b)"
_REMOVED = (
    re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,20}://\S+"),
    re.compile(r"<?[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+>?"),
    re.compile(rf"\({_NUMBER}\)|{_NUMBER}"),
    # A decorator such as `@pytest.fixture` or `@cache()` names no person.
    re.compile(r"(?<![\w.])@[A-Za-z0-9-]+(?![\w.(-])"),
    re.compile(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b"),
)
_WORD = re.compile(r"\w+")


def question_of(message: str) -> str:
    r"""The message without trailers, addresses, tickets, mentions and commit ids, and without the type of its subject.

    >>> question_of("fix(cart): total of an empty cart (#12)\n\nSigned-off-by: A <a@example.org>")
    'total of an empty cart'
    """
    paragraphs = re.split(r"\n[ \t]*\n", message.replace("\r\n", "\n").strip())
    if len(paragraphs) > 1 and all(_ANY_TRAILER.fullmatch(line) for line in paragraphs[-1].split("\n")):
        paragraphs.pop()
    paragraphs[0] = _BEFORE_SUBJECT.sub("", paragraphs[0], count=1)
    return "\n\n".join(filter(None, map(_cleaned, paragraphs)))


def subject_of(message: str) -> str:
    """The first line."""
    return message.strip().partition("\n")[0].strip()


def word_count(text: str) -> int:
    """How many words a text has."""
    return len(_WORD.findall(text))


def _cleaned(paragraph: str) -> str:
    lines = [line for line in paragraph.split("\n") if not _TRAILER.fullmatch(line)]
    text = "\n".join(lines)
    for pattern in _REMOVED:
        text = pattern.sub("", text)
    return "\n".join(re.sub(r"[ \t]+", " ", line).strip() for line in text.split("\n")).strip()
