"""What the browser of samples is given: every answer, each path once, and no text that a screen would obey."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.reporting.html.browser_data import browser_data
from pytest_retrieval_bench.reporting.html.texts import SampleTexts
from tests.reporting.html.pages import BIDI, MARKUP, unpacked, whole
from tests.reporting.small_reports import GOLD, HIT, SECOND, row


def test_rankings_gold_and_texts_name_their_paths_by_number(tmp_path: Path) -> None:
    found = whole(tmp_path, [row("a", {"grep": SECOND, "mine": HIT}, given=["seen.py"])])
    data = unpacked(browser_data(found, {"a": SampleTexts("why?", ("trap.py",), {GOLD: "first\nlines"})}))
    (sample,) = data["samples"]

    def named(numbers: list[int]) -> list[str]:
        return [data["paths"][number] for number in numbers]

    assert len(set(data["paths"])) == len(data["paths"]) == 4
    assert [named(answer["ranked"]) for answer in sample["answers"]] == [["miss.py", GOLD], [GOLD]]
    assert (named(sample["gold"]), named(sample["given"]), named(sample["hard"])) == ([GOLD], ["seen.py"], ["trap.py"])
    assert (sample["query"], sample["heads"]) == ("why?", ["first\nlines"])
    assert [answer["mrr"] for answer in sample["answers"]] == [0.5, 1]


def test_an_answer_says_what_became_of_it_and_one_that_never_came_is_null(tmp_path: Path) -> None:
    rows = [row("a", {"grep": [], "mine": None}), row("b", {"grep": HIT})]
    first, second = unpacked(browser_data(whole(tmp_path, rows), None))["samples"]
    assert [answer["state"] for answer in first["answers"]] == ["silent", "failed"]
    assert first["answers"][1]["error"] == "it broke"
    assert second["answers"][1] is None
    assert "query" not in first


def test_the_same_report_gives_the_same_bytes(tmp_path: Path) -> None:
    found = whole(tmp_path, [row("a", {"grep": HIT})])
    assert browser_data(found, None) == browser_data(found, None)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.one_of(st.text(), st.sampled_from([MARKUP, BIDI, "\ud800", "x" * 10_000])))
def test_whatever_a_stranger_writes_it_is_shown_and_not_obeyed(tmp_path: Path, text: str) -> None:
    found = whole(tmp_path, [row("a", {"grep": HIT})])
    found["details"] = [
        row(text, {"grep": [text]}, repo=text, task_type=text, gold=[f"{text}/gold"], given=[f"{text}/given"])
    ]
    data = unpacked(browser_data(found, {text: SampleTexts("", (f"{text}/hard",), {}, text)}))
    (sample,) = data["samples"]
    for shown in (sample["id"], sample["repo"], sample["task"], sample["why"], *data["paths"]):
        assert shown.isprintable()
    assert len(data["paths"]) == 4
