"""Whether the steps that a ranking could save are saved when the agent is handed it (ARB 7.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_retrieval_bench.agents.figures import Column, correlation, described, shares
from pytest_retrieval_bench.agents.packets import Prediction
from pytest_retrieval_bench.agents.seeds import Pair
from pytest_retrieval_bench.statistics.rounding import rounded

Predicted = Sequence[tuple[Pair, float | None]]


def calibration(pairs: Sequence[Pair], predictions: Mapping[str, Prediction]) -> dict[str, Any]:
    """For `all` pairs with a prediction, for each task and for each group of predictions: what was hoped and what came.

    `predictions` are by sample id.
    """
    found: dict[str, list[tuple[Pair, float | None]]] = {"all": []}
    for pair in pairs:
        prediction = predictions.get(pair.control.sample_id)
        if prediction is not None:
            names = ["all", f"task:{pair.control.facts.task_type}"]
            for name in names + [f"group:{prediction.group}"] * bool(prediction.group):
                found.setdefault(name, []).append((pair, prediction.saved))
    return {name: _calibration(part) for name, part in found.items()}


def _calibration(part: Predicted) -> dict[str, Any]:
    """Of some pairs; steps are gained where both attempts see gold.

    `gained_over_predicted` divides all steps gained, losses as 0, by all that were predicted, where some were.
    """
    both = [(pair, gained, saved) for pair, saved in part if (gained := pair.steps_gained) is not None]
    hoped = [(gained, saved) for _, gained, saved in both if saved]
    total = sum(saved for _, saved in hoped)
    ratio = {"ratio": rounded(sum(max(0, gained) for gained, _ in hoped) / total)} if total else {}
    return {
        "n": len(part),
        "predicted": described([(pair.repo, saved) for pair, saved in part if saved is not None]),
        "steps_gained": described([(pair.repo, gained) for pair, gained, _ in both]),
        "events_saved": described([(pair.repo, pair.events_saved) for pair, _ in part]),
        "f1_delta": Column([(pair.repo, pair.f1_gain) for pair, _ in part]),
        **shares(
            {
                "control_hit": [(pair.repo, pair.control.earliest is not None) for pair, _ in part],
                "seeded_hit": [(pair.repo, pair.seeded.earliest is not None) for pair, _ in part],
                "rescued": [(pair.repo, pair.rescued) for pair, _ in part],
                "lost": [(pair.repo, pair.lost) for pair, _ in part],
                "improved": [(pair.repo, gained > 0) for pair, gained, _ in both],
                "regressed": [(pair.repo, gained < 0) for pair, gained, _ in both],
            }
        ),
        "gained_over_predicted": {"n": len(hoped), **ratio},
        "predicted_with_steps_gained": correlation([(saved, gained) for _, gained, saved in both if saved is not None]),
        "predicted_with_events_saved": correlation(
            [(saved, pair.events_saved) for pair, saved in part if saved is not None]
        ),
    }
