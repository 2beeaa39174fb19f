"""Floors run where they are named, alike in every mode, and are bound by the registration."""

from __future__ import annotations

import sqlite3

import pytest

from tests.conftest import Run
from tests.small_benchmark import SmallBenchmark

FILE = """
[arms.floor]
kind = "fts5"
tokenizer = "trigram"
chunk_lines = 2
exclude = ["README.md"]
depth = 5
"""


def test_they_run_where_they_are_named_alone(run_plain: Run, small: SmallBenchmark) -> None:
    assert not {"random", "fts5:unicode61"} & set(run_plain(*small.options).report["arms"])


def test_their_answers_are_the_same_in_every_mode(run: Run, run_plain: Run, small: SmallBenchmark) -> None:
    arms = "--rb-arms=random,fts5:unicode61,fts5:trigram:3"
    report = run(*small.options, arms).report
    again = run_plain(*small.options, arms, output="again.json").report
    ranked = [{arm: found["ranked"] for arm, found in row["arms"].items()} for row in report["details"]]
    assert ranked == [{arm: found["ranked"] for arm, found in row["arms"].items()} for row in again["details"]]
    assert report["arms"]["random"]["all"]["n"] == 4
    assert "shop/cart.py" in ranked[0]["fts5:unicode61"]
    assert report["details"][0]["arms"]["fts5:unicode61"]["index"]["wall_ms"] > 0


def test_an_arms_file_says_more_and_the_registration_holds_it(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.path.joinpath("arms.toml").write_text(FILE)
    report = run_plain(*small.options, "--rb-arms-file=arms.toml", "--rb-arms=floor,random").report
    assert report["registration"]["retrievers"] == {
        "floor": {"kind": "fts5", "tokenizer": "trigram", "chunk_lines": 2, "exclude": ["README.md"], "depth": 5,
                  "sqlite": sqlite3.sqlite_version},
        "random": {"kind": "random", "seed": 0},
    }  # fmt: skip
    assert all("README.md" not in row["arms"]["floor"]["ranked"] for row in report["details"])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ('kind = "fts5"', "[arms.floor]: it needs the key tokenizer: unicode61 or trigram"),
        ('kind = "fts5"\ntokenizer = "porter"', "[arms.floor]: unknown tokenizer 'porter'"),
        (
            'kind = "fts5"\ntokenizer = "trigram"\ndepth = 0',
            "depth must be a whole number from 1 to 100,000, this is 0",
        ),
        ('kind = "fts5"\ntokenizer = "trigram"\nchunk_lines = true', "chunk_lines must be a whole number"),
        ('kind = "fts5"\ntokenizer = "trigram"\nexcludes = []', "unknown key 'excludes'; did you mean 'exclude'?"),
    ],
)
def test_nonsense_in_a_table_is_refused(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, given: str, words: str
) -> None:
    pytester.path.joinpath("arms.toml").write_text(f"[arms.floor]\n{given}\n")
    finished = run_plain(*small.options, "--rb-arms-file=arms.toml", "--rb-arms=floor")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text


def test_a_tokenizer_that_does_not_exist_is_refused_with_the_nearest(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(*small.options, "--rb-arms=fts5:trigrams")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "--rb-arms: fts5:trigrams: unknown tokenizer 'trigrams'; did you mean 'trigram'?" in finished.text
