"""PROTOCOL 3, Text: bench tokens, grep terms, query identifiers and anchors."""

import json
import re

CODE_EXTENSIONS = ("go", "py", "rs", "ts", "tsx", "js", "java", "kt", "rb", "cs", "cpp", "c", "h")
PLAIN_EXTENSIONS = ("md", "json", "yaml", "yml", "toml", "txt")
ANCHOR_TEXT_BOUND = 32_000


def simple_lower(text: str) -> str:
    """Lower-case one code point to one (PROTOCOL 4, grep): U+212A gives k, U+0130 gives i."""
    # One character alone never meets the final-sigma rule, and only U+0130 lowers to more than one.
    return "".join(character.lower()[0] for character in text)


def bench_tokens(text: str) -> list[str]:
    """All bench tokens of a text, in order, with repetitions (PROTOCOL 3)."""
    spaced = re.sub("([a-z])(?=[A-Z])", r"\1 ", text)
    return [run.lower() for run in re.findall("[A-Za-z0-9]+", spaced)]


def grep_terms(query_text: str) -> list[str]:
    """The distinct bench tokens of at least two characters, sorted (PROTOCOL 3)."""
    return sorted({token for token in bench_tokens(query_text) if len(token) >= 2})


def string_values(query: object) -> list[str]:
    """All string values of a JSON value, nested ones too, objects by sorted key (PROTOCOL 3)."""
    if isinstance(query, str):
        return [query]
    found: list[str] = []
    if isinstance(query, list):
        for item in query:
            found.extend(string_values(item))
    if isinstance(query, dict):
        for key in sorted(query):
            found.extend(string_values(query[key]))
    return found


def is_compound(identifier: str) -> bool:
    """Say whether an inner underscore or a camel-case boundary makes it a query identifier (PROTOCOL 3)."""
    return "_" in identifier.strip("_") or re.search("[a-z][A-Z]", identifier) is not None


def file_stems(text: str) -> list[str]:
    """The stems of the code file names in a text (PROTOCOL 3, query identifiers, b)."""
    # Matches do not overlap: `main.java.py` gives `main`, `foo.java.py` nothing. Open in the prose; so the reference
    # tool reads it.
    extensions = "|".join(CODE_EXTENSIONS)
    stems = re.findall(rf"([A-Za-z0-9_-]+)\.(?:{extensions})\b", text, re.ASCII)
    return [stem for stem in stems if len(stem) >= 4]


def query_identifiers(query: object) -> list[str]:
    """Identifiers and file stems in the string values of a query, distinct and sorted (PROTOCOL 3).

    Takes the query itself or a list of its strings.
    """
    found: set[str] = set()
    for text in string_values(query):
        for identifier in re.findall("[A-Za-z_][A-Za-z0-9_]*", text):
            if len(identifier) >= 4 and is_compound(identifier):
                found.add(identifier)
        found.update(file_stems(text))
    return sorted(found)


def anchor_text(query_text: str) -> str:
    """What is searched for anchors: the string values of JSON, else the text itself (PROTOCOL 3)."""
    try:
        value = json.loads(query_text)
    except (ValueError, RecursionError):
        return query_text
    return "\n".join(string_values(value))


def counts_as_anchor(match: bytes) -> bool:
    """4 to 256 bytes with a run of at least three ASCII word characters (PROTOCOL 3, anchors)."""
    return 4 <= len(match) <= 256 and re.search(rb"[A-Za-z0-9_]{3}", match) is not None


# The five classes in turn. Group 1 is what has to count; the whole match is blanked.
# Open in the prose: an empty pair of quotes is no quoted run, as the reference tool reads it; a URL needs something
# after `://`, and whitespace is ASCII whitespace.
ANCHOR_CLASSES = (
    rb'"([^"\n]+)"',
    rb"([A-Za-z][A-Za-z0-9+.-]*://[^\s\"'<>()`]+)",
    rb"([A-Za-z0-9_./-]+\.[A-Za-z0-9]+:[0-9]+)",
    rb"([A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)+)",
    rb"([a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)+)",
)
DOTTED_WORDS = ANCHOR_CLASSES[4]


def anchor_bearing(query_text: str) -> bool:
    """Say whether the query text has a repository anchor (PROTOCOL 3, anchors)."""
    if len(query_text.encode()) > ANCHOR_TEXT_BOUND:
        return False
    text = anchor_text(query_text).encode()
    for pattern in ANCHOR_CLASSES:
        for match in re.finditer(pattern, text):
            last_word = match.group(1).split(b".")[-1].decode()
            if pattern == DOTTED_WORDS and last_word in CODE_EXTENSIONS + PLAIN_EXTENSIONS:
                continue
            if counts_as_anchor(match.group(1)):
                return True
        text = re.sub(pattern, lambda blanked: b" " * len(blanked.group(0)), text)
    return False
