"""A comparison in words: what people read of it, and that no name of a stranger is obeyed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.reporting.compare import compare
from pytest_retrieval_bench.reporting.comparison_text import markdown, shown_comparison
from tests.reporting.plain import plain_lines
from tests.reporting.small_reports import HIT, MISS, report, row, written

HOSTILE = "`|`@all <img src=x> [a](http://x)\n\x1b[31m"


def comparison(tmp_path: Path, names: list[str], arm: str = "mine", **members: Any) -> dict[str, Any]:
    """Each sample is a miss in the old report and a hit in the new one."""
    old = written(tmp_path / "o.json", report([row(name, {arm: MISS}) for name in names], **members))
    return compare(old, written(tmp_path / "n.json", report([row(name, {arm: HIT}) for name in names])))


def test_the_terminal_shows_notes_differences_flips_by_group_and_samples(tmp_path: Path) -> None:
    lost = [{"id": "a", "arm": "other", "why": "it stopped"}]
    lines = plain_lines(shown_comparison(comparison(tmp_path, ["a", "b"], incomplete=lost), "old.json", "new.json"))
    assert lines[0] == "2 samples in both, limit 5; differences are new minus old"
    assert "the old report is incomplete: 1 result missing" in lines
    assert "mine  hit@5              2  0.000  1.000  +1.000 [+1.000 +1.000]    2     0     0" in lines
    words = "underpowered: too few samples for any test"
    assert ["mine", "hit@5", "2", "1", "+1.000", "-", *words.split(), "-", "-", "-"] in [line.split() for line in lines]
    assert any(line.split() == ["mine", "repo:o/r", "2", "2", "0", "2", "0", "0", "0"] for line in lines)
    assert any(line.split() == ["mine", "hit@5", "won", "2", "a,", "b"] for line in lines)


def test_a_comparison_without_flips_says_so(tmp_path: Path) -> None:
    same = written(tmp_path / "r.json", report([row("a", {"mine": HIT})]))
    assert plain_lines(shown_comparison(compare(same, same), "r.json", "r.json"))[-1] == "No sample flipped."
    assert markdown(compare(same, same), "r.json", "r.json").endswith("\n\nNo sample flipped.\n")


def test_long_lists_are_cut_and_counted(tmp_path: Path) -> None:
    found = comparison(tmp_path, [f"s{number}" for number in range(30)])
    line = next(line for line in plain_lines(shown_comparison(found, "o", "n")) if line.startswith("mine  hit@5 won"))
    assert line.endswith("s18, s19 and 10 more")
    assert "`s18`, `s19` and 10 more |" in markdown(found, "o", "n")


@pytest.mark.parametrize("arm", ["mine", HOSTILE])
def test_names_of_strangers_are_code_in_markdown_and_escaped_in_the_terminal(tmp_path: Path, arm: str) -> None:
    found = comparison(tmp_path, [HOSTILE], arm)
    text = markdown(found, HOSTILE, "new.json")
    assert "\x1b" not in text
    assert "`` `\\|`@all <img src=x> [a](http://x)\\n\\x1b[31m ``" in text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert rows
    for line in rows:
        assert line.replace("\\|", "").count("|") in (5, 10, 11)
    shown = plain_lines(shown_comparison(found, HOSTILE, "new.json"))
    assert all("\x1b" not in line and "\n" not in line for line in shown)


def test_markdown_folds_the_groups_and_the_lists(tmp_path: Path) -> None:
    text = markdown(comparison(tmp_path, ["a"]), "old.json", "new.json")
    assert text.startswith("### Retrieval benchmark: what changed\n\n- 1 sample in both")
    assert text.count("<details>") == text.count("</details>") == 2
    assert "| `mine` | hit@5 | 1 | 0.000 | 1.000 | +1.000 [+1.000 +1.000] | 1 | 0 | 0 |" in text
    assert "| `mine` | hit@5 won | 1 | `a` |" in text
