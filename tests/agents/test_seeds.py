"""What a seed brings, worked by hand: paired differences, and steps saved against steps predicted."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.agents.calibration import calibration
from pytest_retrieval_bench.agents.figures import filled
from pytest_retrieval_bench.agents.packets import Prediction
from pytest_retrieval_bench.agents.runs import Attempt, Run
from pytest_retrieval_bench.agents.seeds import intervention, paired, pairs_of
from pytest_retrieval_bench.agents.tools import ToolUse
from tests.agents.made import attempted, facts, handed


def tools(read: int, seed: int = 0, files: tuple[str, ...] = ()) -> ToolUse:
    return ToolUse({"read_tokens": read, "tool_calls": 2}, (), (), files, seed)


def run(*attempts: Attempt) -> Run:
    return Run({one.sample_id: one for one in attempts}, {})


CONTROL = run(
    attempted("better", "x.py", "y.py", "gold.py", final=["x.py", "gold.py"], tools=tools(100)),
    attempted("rescued", "x.py", tools=tools(50)),
    attempted("lost", "gold.py", final=["gold.py"], tools=tools(50)),
    attempted("same", "x.py", tools=tools(50)),
    attempted("control only", "gold.py"),
)
SEEDED = run(
    handed(attempted("better", "gold.py", final=["gold.py"], tools=tools(300, 120)), "gold.py"),
    attempted("rescued", "y.py", "gold.py", tools=tools(90, 100, ("y.py",))),
    attempted("lost", "x.py", tools=tools(50)),
    attempted("same", "y.py", tools=tools(50)),
)


def test_agents_are_compared_on_the_samples_that_all_have() -> None:
    found = filled(intervention({"no": CONTROL, "seeded": SEEDED}, "no"))
    assert (found["control"], found["n"]) == ("no", 4)
    assert "paired" not in found["agents"]["no"]
    seeded = found["agents"]["seeded"]
    assert (seeded["any_gold"]["count"], seeded["first_gold"]) == (2, {"n": 2, "median": 1})
    assert (seeded["seed"]["seed_any_gold"]["n"], seeded["seed"]["seed_any_gold"]["count"]) == (4, 1)
    assert seeded["seed"]["seed_tokens"]["mean"] == 55
    assert seeded["seed"]["post_seed_read_tokens"]["mean"] == (180 + 0 + 50 + 50) / 4
    assert found["agents"]["no"]["trajectory"]["final_file_f1"]["n"] == 4


def test_what_a_seed_changes_is_told_sample_by_sample() -> None:
    names = ["better", "lost", "rescued", "same"]
    found = filled(paired(pairs_of(CONTROL.only(names), SEEDED.only(names))))
    assert {name: found[name]["count"] for name in ("improved", "worsened", "unchanged", "rescued", "lost")} == {
        "improved": 2, "worsened": 1, "unchanged": 1, "rescued": 1, "lost": 1,
    }  # fmt: skip
    gains = {"better": 1 / 3, "rescued": 2 / 3, "lost": -1, "same": 0}
    assert found["f1_delta"] == {"n": 4, "mean": pytest.approx(sum(gains.values()) / 4, abs=1e-6)}
    assert found["f1_delta_seed_has_gold"] == {"n": 1, "mean": pytest.approx(1 / 3, abs=1e-6)}
    assert found["f1_delta_seed_lacks_gold"] == {"n": 3, "mean": pytest.approx(-1 / 9, abs=1e-6)}
    assert (found["rescued_given_control_miss"]["n"], found["rescued_given_control_miss"]["count"]) == (2, 1)
    assert found["first_gold_delta"] == {"n": 1, "mean": -3}  # from step 3 to what it was handed


def test_a_seed_that_changes_nothing_has_no_delta_anywhere() -> None:
    found = filled(paired(pairs_of(CONTROL.only(["same"]), CONTROL.only(["same"]))))
    assert (found["unchanged"]["count"], found["f1_delta"]["mean"]) == (1, 0)
    assert found["f1_delta_seed_has_gold"] == {"n": 0}


def three() -> tuple[Run, Run]:
    known = facts()
    before = [attempted(str(late), *["x.py"] * late, "gold.py", known=known) for late in (2, 5, 9)]
    after = [attempted(str(late), *["x.py"] * (late // 2), "gold.py", known=known) for late in (2, 5, 9)]
    return run(*before), run(*after)


def test_steps_that_were_predicted_are_held_against_steps_that_were_gained() -> None:
    before, after = three()
    pairs = pairs_of(before.only("259"), after.only("259"))
    predictions = {"2": Prediction(2, "low"), "5": Prediction(5), "9": Prediction(None, "low")}
    found = filled(calibration(pairs, predictions))
    assert list(found) == ["all", "task:code2test", "group:low"]
    whole = found["all"]
    assert (whole["n"], whole["predicted"]["n"], whole["predicted"]["mean"]) == (3, 2, 3.5)
    assert (whole["steps_gained"]["mean"], whole["steps_gained"]["median"]) == (3, 3)  # 1, 3, 5
    assert whole["events_saved"]["mean"] == 3
    assert whole["gained_over_predicted"] == {"n": 2, "ratio": pytest.approx(4 / 7, abs=1e-6)}
    assert whole["predicted_with_steps_gained"] == {"n": 2, "pearson": 1, "spearman": 1}
    assert (found["group:low"]["n"], found["group:low"]["predicted_with_steps_gained"]) == (2, {"n": 1})


def test_what_does_not_vary_has_no_correlation_and_no_ratio_is_made_of_nothing() -> None:
    before, after = three()
    pairs = pairs_of(before.only("259"), after.only("259"))
    found = filled(calibration(pairs, dict.fromkeys("259", Prediction(0))))["all"]
    assert found["predicted_with_steps_gained"] == {"n": 3}
    assert found["gained_over_predicted"] == {"n": 0}
    assert calibration(pairs, {})["all"]["n"] == 0
