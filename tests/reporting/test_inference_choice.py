"""What can be asked of `--rb-inference` and `--rb-margin`, and what is refused."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.reporting.inference_choice import (
    NAMES,
    InferenceChoice,
    read_choice,
    registered_choice,
)


@pytest.mark.parametrize(
    ("names", "margin", "right"),
    [
        (None, None, None),
        (["all"], None, InferenceChoice(NAMES, 0.05)),
        (["bca, clustered"], "0.02", InferenceChoice(("clustered", "bca"), 0.02)),
        (["power", "mcnemar,holm"], "1e-3", InferenceChoice(("mcnemar", "holm", "power"), 0.001)),
    ],
)
def test_names_come_in_one_order_and_the_margin_has_a_default(
    names: list[str] | None, margin: str | None, right: InferenceChoice | None
) -> None:
    assert read_choice(names, margin) == right


@pytest.mark.parametrize(
    ("names", "margin", "message"),
    [
        (["mcnemer"], None, "--rb-inference: unknown evidence 'mcnemer'; did you mean 'mcnemar'?"),
        ([","], None, "--rb-inference: names nothing; known: clustered, "),
        (["holm,power"], None, "--rb-inference: holm and bh correct p values; add randomization or mcnemar"),
        (None, "0.05", "--rb-margin: it is about --rb-inference; give that as well"),
        (["all"], "5%", "--rb-margin: must be a number between 0 and 1, such as 0.05, this is '5%'"),
        (["all"], "0", "--rb-margin: must be a number between 0 and 1"),
        (["all"], "nan", "--rb-margin: must be a number between 0 and 1"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(names: list[str] | None, margin: str | None, message: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        read_choice(names, margin)
    assert str(refusal.value).startswith(message)


def test_a_registration_gives_the_choice_back() -> None:
    choice = InferenceChoice(("bca", "power"), 0.02)
    assert registered_choice(choice.as_json()) == choice
