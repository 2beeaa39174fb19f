"""PROTOCOL 1, Samples: what a raw row means."""

import json
from pathlib import Path

from .text import string_values

Row = dict[str, object]

FOLD_A = (
    "HypothesisWorks/hypothesis",
    "astral-sh/ruff",
    "caddyserver/caddy",
    "gin-gonic/gin",
    "huggingface/diffusers",
    "ipython/ipython",
    "microsoft/playwright",
    "mockito/mockito",
    "numpy/numpy",
    "pytest-dev/pytest",
    "python/mypy",
    "scrapy/scrapy",
    "vitejs/vite",
    "vuejs/core",
)
FOLD_B = (
    "clap-rs/clap",
    "eslint/eslint",
    "etcd-io/etcd",
    "fastapi/fastapi",
    "huggingface/transformers",
    "pallets/click",
    "pydantic/pydantic",
    "pypa/pip",
    "spring-projects/spring-boot",
    "tokio-rs/tokio",
    "tox-dev/tox",
)


def fold(repo: str) -> str:
    """The repository's fold in the frozen map (PROTOCOL 1, fold)."""
    if repo in FOLD_A:
        return "A"
    return "B" if repo in FOLD_B else "unassigned"


def without_lone_surrogates(value: object) -> object:
    """A JSON value with U+FFFD for every lone surrogate, in keys too (PROTOCOL 1)."""
    if isinstance(value, str):
        return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in value)
    if isinstance(value, list):
        return [without_lone_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {str(without_lone_surrogates(key)): without_lone_surrogates(item) for key, item in value.items()}
    return value


def read_samples(path: Path) -> list[Row]:
    """The rows of a samples file: JSON Lines, an optional BOM, blank lines skipped (PROTOCOL 1)."""
    lines = path.read_bytes().decode("utf-8-sig").split("\n")
    rows = [without_lone_surrogates(json.loads(line)) for line in lines if line.strip()]
    return [row for row in rows if isinstance(row, dict)]


def member(row: Row, name: str) -> dict[str, object]:
    """The row's object of this name; absent and null are an empty one (PROTOCOL 1)."""
    value = row.get(name)
    return value if isinstance(value, dict) else {}


def text_member(row: Row, name: str) -> str:
    """The row's string of this name (PROTOCOL 1)."""
    value = row.get(name)
    return value if isinstance(value, str) else ""


def is_contextbench(row: Row) -> bool:
    """A ContextBench row has an `instance_id` member (PROTOCOL 1, ContextBench rows)."""
    return "instance_id" in row


def sample_id(row: Row) -> str:
    """The row's id; `instance_id` for ContextBench (PROTOCOL 1)."""
    return text_member(row, "instance_id" if is_contextbench(row) else "id")


def task_type(row: Row) -> str:
    """The row's task type; `contextbench` for ContextBench (PROTOCOL 1)."""
    return "contextbench" if is_contextbench(row) else text_member(row, "task_type")


def query_text(row: Row) -> str:
    """The query as every lexical arm sees it (PROTOCOL 1, query text)."""
    if is_contextbench(row):
        return text_member(row, "problem_statement")
    return json.dumps(member(row, "query") or {}, ensure_ascii=False, sort_keys=True)


def strings_for_identifiers(row: Row) -> list[str]:
    """The strings that query identifiers come from (PROTOCOL 1 and 3)."""
    if is_contextbench(row):
        return [text_member(row, "problem_statement")]
    return string_values(member(row, "query"))


def paths(value: object) -> list[str]:
    """The distinct non-empty paths of a gold list of strings or objects, in order (PROTOCOL 1)."""
    found: list[str] = []
    for item in value if isinstance(value, list) else []:
        path = item.get("path") if isinstance(item, dict) else item
        if isinstance(path, str) and path != "" and path not in found:
            found.append(path)
    return found


def has_no_gold_label(row: Row) -> bool:
    """`gold.no_gold` is exactly true, not 1 (PROTOCOL 1, gold)."""
    return member(row, "gold").get("no_gold") is True


def gold(row: Row) -> list[str]:
    """The gold paths of a sample (PROTOCOL 1, gold)."""
    if is_contextbench(row):
        return sorted({span_path for span_path, _, _ in gold_spans(row)})
    if has_no_gold_label(row):
        return []
    if task_type(row) == "code2test":
        names = ["files", "related_tests"]
    elif task_type(row) == "comment2context":
        names = ["files", "must_context_files", "context_files", "root_cause_files", "related_tests"]
    else:
        names = ["files", "root_cause_files", "related_tests"]
    for name in names:
        found = paths(member(row, "gold").get(name))
        if found:
            return found
    return []


def given(row: Row) -> list[str]:
    """The paths the query already names, never a success (PROTOCOL 1, given)."""
    if is_contextbench(row):
        return []
    found = paths(member(row, "gold").get("given_files"))
    if found or task_type(row) != "comment2context":
        return found
    for name in ("given_file", "path"):
        path = member(row, "query").get(name)
        if isinstance(path, str) and path != "":
            return [path]
    return []


def hard_negatives(row: Row) -> list[str]:
    """The paths that look right and are wrong (PROTOCOL 1, hard negatives)."""
    return [] if is_contextbench(row) else paths(member(row, "gold").get("negative_distractors"))


def stratum(row: Row) -> str:
    """The sample's stratum (PROTOCOL 1, stratum)."""
    if is_contextbench(row) or not has_no_gold_label(row):
        return "positive"
    return "natural_no_gold" if member(row, "metadata").get("organic") is True else "counterfactual_no_gold"


def is_skipped(row: Row) -> bool:
    """A positive row without gold is skipped and counted (PROTOCOL 1, stratum)."""
    return stratum(row) == "positive" and not gold(row)


def contextbench_path(path: str) -> str:
    """A gold path as ContextBench normalises it (PROTOCOL 1, ContextBench rows, path rule)."""
    # Read as one choice of four: nothing more is stripped after a prefix was cut.
    slashed = path.replace("\\", "/")
    if slashed.startswith("/testbed/"):
        return slashed.removeprefix("/testbed/")
    if slashed.startswith("/workspace/"):
        # Open in the prose; so the reference tool reads a path without a first part.
        inside = slashed.removeprefix("/workspace/")
        return inside.split("/", 1)[1] if "/" in inside else inside
    if slashed.startswith("/"):
        return slashed.lstrip("/")
    return slashed.lstrip("./")


def gold_spans(row: Row) -> list[tuple[str, int, int]]:
    """The gold spans as (path, first line, last line), in order (PROTOCOL 1, ContextBench rows)."""
    found: list[tuple[str, int, int]] = []
    for span in json.loads(text_member(row, "gold_context")):
        path, start, end = contextbench_path(span["file"]), span["start_line"], span["end_line"]
        if start < 1 or end < start:
            raise ValueError(f"{sample_id(row)}: no span of lines: {start} to {end}")
        if path != "":
            found.append((path, start, end))
    return found
