"""`[arms.NAME]` tables and one-liners."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval_bench.arms.arms_file import arms_of_tables, command_from_one_liner, read_arms_file
from pytest_retrieval_bench.arms.command.arm import CommandArm
from pytest_retrieval_bench.errors import SettingsError
from tests.arms.no_dense import no_dense

WHOLE = """
[arms.mine]
kind = "command"
command = "sh -c cat {query_file}"
query = "plain"
timeout = 2.5
index = "sh -c true {root}"
index_timeout = 60
version = "sh --version"
environment = ["MODEL"]
output = "json"
results = "$.hits[*]"
path = "file"
score = "score"
start_line = "from"
end_line = "to"
abstained = "abstained"
tokens = "$.usage.tokens"
cost = "$.usage.cost"

[arms.least]
command = "sh"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "arms.toml"


def refusal(file: Path, text: str) -> str:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as refused:
        read_arms_file(file, file.parent, no_dense)
    message = str(refused.value)
    assert message.startswith(f"{file}: ")
    return message.removeprefix(f"{file}: ")


def test_each_table_is_an_arm(file: Path) -> None:
    file.write_text(WHOLE)
    assert [arm.name for arm in read_arms_file(file, file.parent, no_dense)] == ["mine", "least"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no [arms.NAME] table in it"),
        ("arms = ['grep']", "there is no [arms.NAME] table in it"),
        ("[arm.mine]\ncommand = 'sh'", "unknown key 'arm'; did you mean 'arms'? known: arms"),
        ("[arms.mine", "Expected ']' at the end of a table declaration"),
        ("arms.mine = 3", "[arms.mine]: it must be a table, this is 3"),
        ("[arms.mine]", "[arms.mine]: command is missing; give a program and its arguments"),
        ("[arms.mine]\nkind = 'htp'", "[arms.mine]: unknown kind 'htp'; did you mean 'http'? known: command, http"),
        (
            "[arms.mine]\ncomand = 'sh'",
            "[arms.mine]: unknown key 'comand'; did you mean 'command'? known: comm",
        ),
        ("[arms.mine]\ncommand = ['sh']", "[arms.mine]: command must be a string that is not empty, this is ['sh']"),
        (
            "[arms.mine]\ncommand = 'sh {qury}'",
            "[arms.mine]: command: unknown placeholder 'qury'; did you mean 'query'?",
        ),
        ("[arms.mine]\ncommand = 'sh'\nquery = 'text'", "[arms.mine]: unknown query 'text'; known: json, plain"),
        ("[arms.mine]\ncommand = 'sh'\ntimeout = '9'", "[arms.mine]: timeout must be a number of seconds above 0"),
        ("[arms.mine]\ncommand = 'sh'\ntimeout = 0", "[arms.mine]: timeout must be a number of seconds above 0"),
        ("[arms.mine]\ncommand = 'sh'\ntimeout = true", "[arms.mine]: timeout must be a number of seconds above 0"),
        ("[arms.mine]\ncommand = 'sh'\ntimeout = nan", "[arms.mine]: timeout must be a number of seconds above 0"),
        ("[arms.mine]\ncommand = 'sh'\nindex_timeout = 9", "[arms.mine]: index_timeout needs index"),
        (
            "[arms.mine]\ncommand = 'sh'\nindex = 'sh {query}'",
            "[arms.mine]: index: unknown placeholder 'query'; kno",
        ),
        ("[arms.mine]\ncommand = 'sh'\nversion = 'sh {root}'", "[arms.mine]: version: {root} cannot stand here"),
        (
            "[arms.mine]\ncommand = 'sh'\nenvironment = 'X'",
            "[arms.mine]: environment must be a list of strings, ",
        ),
        ("[arms.mine]\ncommand = 'sh'\nresults = '$['", "[arms.mine]: results: '$[' is no JSONPath (RFC 9535): "),
        ("[arms.' mine']\ncommand = 'sh'", "[arms. mine]: ' mine' cannot be the name of an arm; rename it"),
        ("[arms.'a,b']\ncommand = 'sh'", "[arms.a,b]: 'a,b' cannot be the name of an arm; rename it"),
    ],
)
def test_a_mistake_is_refused_by_file_arm_and_key(file: Path, text: str, words: str) -> None:
    assert refusal(file, text).startswith(words)


def test_a_file_that_is_not_there_or_not_utf_8_is_refused(file: Path) -> None:
    with pytest.raises(SettingsError, match=r"arms\.toml: .*No such file"):
        read_arms_file(file, file.parent, no_dense)
    file.write_bytes(b"# caf\xe9")
    with pytest.raises(SettingsError, match=r"arms\.toml: .*can't decode byte"):
        read_arms_file(file, file.parent, no_dense)


def test_the_tables_of_a_suite_make_the_same_arms(tmp_path: Path) -> None:
    (from_table,) = arms_of_tables({"mine": {"command": "sh -c true"}}, "suite.toml", tmp_path, no_dense)
    from_one_liner = command_from_one_liner("mine=sh -c true", tmp_path)
    assert isinstance(from_table, CommandArm)
    assert isinstance(from_one_liner, CommandArm)
    assert from_table.name == from_one_liner.name == "mine"
    assert from_table.describe() == from_one_liner.describe()


def test_a_one_liner_may_hold_further_equals_signs(tmp_path: Path) -> None:
    arm = command_from_one_liner("mine=sh --top={limit}", tmp_path)
    assert isinstance(arm, CommandArm)
    assert arm.describe()["command"] == "sh --top={limit}"


@pytest.mark.parametrize("text", ["", "mine", "mine=", "=sh", "mine= "])
def test_what_is_no_one_liner_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError, match=r"--rb-command: .* is not NAME=TEMPLATE"):
        command_from_one_liner(text, tmp_path)


def test_a_mistake_in_a_one_liner_names_it(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"--rb-command mine: command: unknown placeholder 'qury'"):
        command_from_one_liner("mine=sh {qury}", tmp_path)
