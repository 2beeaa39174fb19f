"""Arms beside agents: who finds gold, and what could have been saved, worked by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.agents.figures import filled
from pytest_retrieval_bench.agents.retrievers import DEPTHS, Ranking, joined, rankings, retriever, saving
from tests.agents.made import attempted

AGENT = {
    one.sample_id: one
    for one in (
        attempted("early", "gold.py"),
        attempted("late", "a.py", "b.py", "c.py", "gold.py"),
        attempted("missed", "x.py"),
        attempted("both missed", "x.py"),
        attempted("alone", "gold.py"),
    )
}


def ranked(rank: int | None, limit: int | None = None, answered: int = 20) -> Ranking:
    return Ranking("acme/shop", {"gold.py": rank}, limit, answered)


ARM = {
    "early": ranked(1), "late": ranked(4), "missed": ranked(20), "both missed": ranked(21), "alone": ranked(None),
    "elsewhere": ranked(1),
}  # fmt: skip


def test_each_sample_is_in_one_cell_and_the_saved_steps_are_those_before_the_first_sight() -> None:
    found = filled(joined(AGENT, ARM))
    assert found["n"] == 5
    cells = found["complementarity"]["20"]
    counts = {name: cells[name]["count"] for name in ("both_hit", "retriever_only", "agent_only", "both_miss")}
    assert counts == {"both_hit": 2, "retriever_only": 1, "agent_only": 1, "both_miss": 1}
    assert cells["potential_exploration_savings"] == {"n": 5, "mean": 0.6}  # 0 of early, 3 of late
    assert (cells["retriever_given_agent_miss"]["n"], cells["retriever_given_agent_miss"]["rate"]) == (2, 0.5)
    assert (cells["agent_given_retriever_miss"]["n"], cells["agent_given_retriever_miss"]["rate"]) == (2, 0.5)
    assert found["complementarity"]["3"]["potential_exploration_savings"]["mean"] == 0


def test_subsets_are_by_what_the_agent_saw() -> None:
    found = filled(joined(AGENT, ARM))["subsets"]
    assert {name: subset["retriever_any@20"]["n"] for name, subset in found.items()} == {
        "all": 5, "agent_hit": 3, "agent_miss": 2, "agent_late_hit": 1, "agent_early_hit": 2,
    }  # fmt: skip
    assert found["agent_late_hit"]["retriever_any@5"]["count"] == 1
    assert found["agent_late_hit"]["events"] == {"n": 1, "mean": 4}
    assert found["agent_miss"]["first_gold"] == {"n": 0}
    assert found["agent_miss"]["first_gold_rank"] == {"n": 2, "median": 20.5}


def test_without_samples_in_common_there_is_n_0_and_nothing_else() -> None:
    cells = filled(joined(AGENT, {"elsewhere": ranked(1)}))["complementarity"]["20"]
    assert {str(cells[name]) for name in cells} == {"{'n': 0}"}


def test_an_arm_is_described_by_the_ranks_of_its_gold() -> None:
    found = filled(retriever(ARM))
    assert (found["n"], found["ranks"], found["first_gold_rank"]) == (6, "whole", {"n": 5, "median": 4})
    assert [found[f"any@{depth}"]["count"] for depth in DEPTHS] == [2, 3, 3, 4]


def test_depths_beyond_a_cut_ranking_are_not_there() -> None:
    cut = {"early": ranked(1, limit=10), "late": ranked(None, limit=10)}
    assert filled(retriever(cut))["ranks"] == "cut"
    assert [depth for depth in DEPTHS if f"any@{depth}" in filled(retriever(cut))] == [3, 5, 10]
    assert list(filled(joined(AGENT, cut))["complementarity"]) == ["3", "5", "10"]


def test_the_first_files_are_taken_for_a_context() -> None:
    two = Ranking("acme/shop", {"a.py": 1, "b.py": 4}, None, 20)
    found = filled(retriever({"one": two}))
    assert found["context_f1@3"]["mean"] == pytest.approx(2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2), abs=1e-6)
    assert found["context_f1@4"]["mean"] == pytest.approx(2 * (1 / 2) * 1 / (1 / 2 + 1), abs=1e-6)
    assert filled(retriever({"one": ranked(1, answered=1)}))["context_f1@3"]["mean"] == 1


def test_agents_are_held_against_the_yield_of_rankings_that_have_one() -> None:
    gains = {"early": 1.0, "late": 0.5, "missed": 0.0, "both missed": 0.25}
    arm = {name: Ranking("acme/shop", {"gold.py": 1}, None, 20, gain) for name, gain in gains.items()}
    found = filled(joined(AGENT, {**arm, "alone": ranked(1)}))["yield"]
    assert found["any_gold"]["n"] == 4
    # 1 1 0 0 against 1 .5 0 .25: deviations .5 .5 -.5 -.5 and .5625 .0625 -.4375 -.1875
    assert found["any_gold"]["pearson"] == pytest.approx(0.625 / (1 * 0.546875**0.5), abs=1e-6)
    # F1 1 .4 0 0: ranks 4 3 1.5 1.5 against 4 3 1 2
    assert found["final_file_f1"]["spearman"] == pytest.approx(4.5 / (5 * 4.5) ** 0.5, abs=1e-6)
    assert filled(joined(AGENT, ARM))["yield"]["any_gold"] == {"n": 0}


def row(identity: str, **arms: Any) -> dict[str, Any]:
    answers = {name: {"outcome": outcome, "ranked": paths} for name, (outcome, paths) in arms.items()}
    return {"id": identity, "repo": "acme/shop", "task_type": "t", "gold": ["gold.py"], "arms": answers}


def test_rankings_come_from_what_a_report_scored_or_from_whole_rankings() -> None:
    whole = {"mine": {"arb": {"gold_ranks": {"gold.py": 40}, "values": {}}}}
    rows = [
        row("cut", mine=("answered", ["x.py", "gold.py"])),
        row("whole", mine=("answered", ["x.py"])) | {"measures": whole},
        row("failed", mine=("error", [])),
        row("not applicable", mine=("not applicable", [])),
        row("other", other=("answered", [])),
        row("no gold", mine=("answered", ["x.py"])) | {"gold": []},
    ]
    found = rankings(rows, "mine", 10)
    assert {name: (one.first, one.limit) for name, one in found.items()} == {
        "cut": (2, 10), "whole": (40, None), "failed": (None, 10),
    }  # fmt: skip


@given(
    st.dictionaries(st.integers(0, 9), st.tuples(st.integers(0, 9), st.none() | st.integers(1, 30)), min_size=1),
)
def test_cells_add_up_and_deeper_rankings_save_no_less(drawn: dict[int, tuple[int, int | None]]) -> None:
    agent = {str(name): attempted(str(name), *["x.py"] * before, *(["gold.py"] if before < 8 else []))
             for name, (before, _) in drawn.items()}  # fmt: skip
    arm = {str(name): ranked(rank) for name, (_, rank) in drawn.items()}
    found = filled(joined(agent, arm))["complementarity"]
    saved = [found[str(depth)]["potential_exploration_savings"]["mean"] for depth in DEPTHS]
    assert saved == sorted(saved)
    for depth in DEPTHS:
        cells = found[str(depth)]
        assert sum(cells[name]["count"] for name in ("both_hit", "retriever_only", "agent_only", "both_miss")) == len(
            agent
        )
        exact = sum(saving(agent[name], arm[name], depth) for name in agent) / len(agent)
        assert cells["potential_exploration_savings"]["mean"] == pytest.approx(exact, abs=1e-6)
