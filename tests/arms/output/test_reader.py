"""What a retriever printed, read as an answer."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.arms.output.reader import OutputError, OutputReader
from pytest_retrieval_bench.errors import SettingsError
from pytest_retrieval_bench.model import Answer
from tests.memory_snapshot import MemorySnapshot

FILES = ("a.py", "b.py", "src/c.py", "[id]/page.tsx", "Icon\r", "two\nlines", "null")
SNAPSHOT = MemorySnapshot(dict.fromkeys(FILES, b""), "acme/shop")
ROOT = Path("/copies/k3")
HITS = {"results": "$.hits[*]", "path": "$.file.name"}


def read(output: bytes | str, /, **keys: str) -> Answer:
    raw = output if isinstance(output, bytes) else output.encode()
    return OutputReader.from_table(keys, "arms.toml: [arms.mine]").answer(raw, SNAPSHOT, ROOT)


def refusal(output: bytes | str, /, **keys: str) -> str:
    with pytest.raises(OutputError) as refused:
        read(output, **keys)
    return str(refused.value)


@pytest.mark.parametrize(
    "output",
    [
        "src/c.py\na.py\n",
        "src/c.py\na.py",
        "\nsrc/c.py\r\na.py\r\n\n",
        "\ufeffsrc/c.py\na.py\n",
        '["src/c.py", "a.py"]',
        '\ufeff[\n "src/c.py",\n "a.py"\n]\n',
        '[{"path": "src/c.py"}, {"path": "a.py", "more": 1}]',
        '{"path": "src/c.py"}\n{"path": "a.py"}\n',
        '"src/c.py"\r\n\r\n{"path": "a.py"}',
    ],
)
def test_lines_and_json_and_json_lines_are_told_apart(output: str) -> None:
    assert read(output).ranking == ("src/c.py", "a.py")


@pytest.mark.parametrize(
    ("output", "ranking"),
    [
        ("[id]/page.tsx\na.py\n", ("[id]/page.tsx", "a.py")),
        ("./[id]/page.tsx\n", ("[id]/page.tsx",)),
        ("[id]/page.tsx:3\n", ("[id]/page.tsx",)),
        ("a.py\nIcon\r\n", ("a.py", "Icon\r")),
        ("null\n", ("null",)),
        ('"a.py"', ("a.py",)),
    ],
)
def test_odd_names_are_not_taken_for_something_else(output: str, ranking: tuple[str, ...]) -> None:
    assert read(output).ranking == ranking


@pytest.mark.parametrize("output", ["", "\n", " \r\n\n", "[]", '{"hits": []}', '{"hits": null}'])
def test_an_answer_without_paths_is_an_abstention(output: str) -> None:
    answer = read(output, **({"results": "$.hits[*]"} if "hits" in output else {}))
    assert (answer.ranking, answer.abstained in (None, True), answer.figures) == ((), True, {"unknown_paths": 0})


@pytest.mark.parametrize("format_", ["auto", "lines", "nul", "jsonl"])
def test_no_output_is_an_abstention_where_it_is_an_empty_list(format_: str) -> None:
    assert read("", output=format_).abstained is True


@pytest.mark.parametrize("keys", [{"output": "json"}, {"results": "$.hits"}])
def test_no_output_is_an_error_where_a_document_was_asked_for(keys: dict[str, str]) -> None:
    with pytest.raises(OutputError, match="it is empty, and it must be JSON"):
        OutputReader.from_table(keys, "here").answer(b" \n", SNAPSHOT, ROOT)


def test_null_is_an_empty_list_where_no_file_has_that_name() -> None:
    reader = OutputReader.from_table({}, "here")
    assert reader.answer(b"null\n", MemorySnapshot({"a.py": b""}), None).ranking == ()


def test_nul_separated_names_may_hold_a_newline() -> None:
    assert read("two\nlines\0a.py\0", output="nul").ranking == ("two\nlines", "a.py")


def test_the_first_of_two_spellings_counts_with_its_score_and_lines() -> None:
    rows = [("./b.py", 0.9, 4), ("a.py", 0.5, None), ("b.py", 0.4, 8)]
    output = json.dumps([{"path": path, "s": score, "at": line} for path, score, line in rows])
    answer = read(output, score="s", start_line="at")
    assert answer.ranking == ("b.py", "a.py")
    assert answer.scores == (0.9, 0.5)
    assert answer.lines == ((4, 4), None)


def test_unknown_paths_keep_their_rank_and_are_counted() -> None:
    answer = read(f"gone.py\na.py\nsrc/\n{ROOT}/gone.py\ngone.py\nb.py\n")
    assert answer.ranking == ("gone.py", "a.py", "src/", "{root}/gone.py", "b.py")
    assert answer.figures == {"unknown_paths": 3}


def test_an_answer_of_only_unknown_paths_is_an_error_that_shows_the_first() -> None:
    assert refusal(f"{ROOT}/old/x.py\ny.py\n") == (
        "none of the 2 paths is a file of the snapshot; the first is '{root}/old/x.py'; "
        "paths must be relative to the root of the repository"
    )


def test_lines_behind_a_path_are_its_line_range() -> None:
    answer = read("a.py:3-9\nb.py:4\nsrc/c.py\n")
    assert (answer.ranking, answer.lines) == (("a.py", "b.py", "src/c.py"), ((3, 9), (4, 4), None))


def test_a_document_is_read_by_json_paths_and_member_names() -> None:
    document = {
        "hits": [
            {"file": {"name": "b.py"}, "score": 3, "from": 1, "to": 9},
            {"file": {"name": "a.py"}, "score": 2.5},
        ],
        "verdict": {"no answer": True},
        "usage": {"tokens": 120},
        "price": 0.25,
    }
    keys = HITS | {"score": "score", "start_line": "from", "end_line": "to"}
    keys |= {"abstained": "$.verdict['no answer']", "tokens": "$.usage.tokens", "cost": "price"}
    assert read(json.dumps(document), **keys) == Answer(
        ranking=("b.py", "a.py"),
        scores=(3.0, 2.5),
        abstained=True,
        lines=((1, 9), None),
        figures={"tokens": 120.0, "cost": 0.25, "unknown_paths": 0},
    )


@pytest.mark.parametrize("results", ["$.hits", "$.hits[*]", "hits", "$['hits'][*]"])
def test_results_may_name_the_list_or_its_members(results: str) -> None:
    assert read('{"hits": ["b.py", "a.py"]}', results=results).ranking == ("b.py", "a.py")


def test_rows_of_json_lines_are_one_document() -> None:
    output = '{"path": "a.py"}\n{"path": "b.py"}\n{"tokens": 7}\n'
    answer = read(output, output="jsonl", results="$[?@.path]", tokens="$[-1].tokens")
    assert (answer.ranking, answer.figures["tokens"]) == (("a.py", "b.py"), 7)


@pytest.mark.parametrize("member", ["", ', "tokens": null, "cost": null'])
def test_a_figure_that_is_not_there_is_absent_and_not_zero(member: str) -> None:
    answer = read(f'{{"hits": ["a.py"]{member}}}', results="hits", tokens="tokens", cost="cost")
    assert answer.figures == {"unknown_paths": 0}


def test_an_abstention_flag_that_is_not_there_leaves_it_to_the_ranking() -> None:
    assert read('{"hits": []}', results="hits", abstained="none").abstained is None


def test_results_may_be_missing_from_an_abstention() -> None:
    assert read('{"abstained": true}', results="$.hits[*]", abstained="abstained").abstained is True


@pytest.mark.parametrize("results", ["hits", "$.hits", "$.hits[*]", "$.data.hits[*]"])
def test_a_document_without_the_list_is_an_error_and_no_abstention(results: str) -> None:
    assert refusal('{"error": "too many requests"}', results=results) == (
        f'the output cannot be read: `results` {results!r} is not in {{"error": "too many requests"}}'
    )


@pytest.mark.parametrize(
    ("output", "keys", "words"),
    [
        (b"a.py\ncaf\xe9.py\n", {}, "the output is not UTF-8: line 2, byte 8: invalid continuation byte"),
        ("a.py\n".encode("utf-16"), {}, "the output is not UTF-8: line 1, byte 0: invalid start byte"),
        ('[{"path": "a.py", "s": NaN}]', {"score": "s"}, "the output cannot be read: NaN is not JSON"),
        ('[{"path": "a.py", "s": NaN}]', {}, "the output cannot be read: NaN is not JSON"),
        ('{"path": "a.py", "s": -Infinity}\n{}\n', {}, "the output cannot be read: -Infinity is not JSON"),
        ('[{"path": "a.py", "s": 1e999}]', {"score": "s"}, "result 1: `score` must be a finite number, it is Inf"),
        (f'[{{"path": "a.py", "s": {10**400}}}]', {"score": "s"}, "1: `score` must be a finite number, it is 1000"),
        ('[{"path": "a.py", "s": "1"}]', {"score": "s"}, 'result 1: `score` must be a finite number, it is "1"'),
        ('[{"path": "a.py", "s": true}]', {"score": "s"}, "result 1: `score` must be a finite number, it is true"),
        ('[{"path": "a.py", "s": 1}, {"path": "b.py"}]', {"score": "s"}, "result 2: `score` must be a finite number"),
        ('["a.py"]', {"score": "s"}, 'result 1: `score` must be a finite number, it is absent: "a.py"'),
        ('[{"file": "a.py"}]', {}, "result 1: the path ('path') must be a string that is not empty: {\"file\""),
        ('["a.py", 3]', {}, "result 2: the path ('path') must be a string that is not empty: 3"),
        ('["a.py", ""]', {}, "result 2: the path"),
        ('[{"path": "a.py", "n": 0}]', {"start_line": "n"}, "result 1: lines 0 to 0 are no range of whole numbers"),
        ('[{"path": "a.py", "n": 2.5}]', {"start_line": "n"}, "result 1: lines 2.5 to 2.5 are no range"),
        ('[{"path": "a.py", "n": 9, "m": 3}]', {"start_line": "n", "end_line": "m"}, "result 1: lines 9 to 3 are no"),
        ('{"path": "a.py"}\n{"path": \n', {}, "the output cannot be read: line 2 is not JSON: Expecting value"),
        ('["a.py"]\n["b.py"]\n', {"output": "json"}, "the output cannot be read: Extra data: line 2 column 1"),
        ('["a.py"', {}, "the output cannot be read: Expecting ',' delimiter"),
        ("a.py\n", {"output": "json"}, "the output cannot be read: Expecting value: line 1 column 1"),
        ("a.py\n", {"score": "s"}, 'it must be JSON, as its members are named, it is "a.py'),
        ('{"r": ["a.py"], "x": 1}', {"results": "r", "abstained": "x"}, "`abstained` must be true or false, it is 1"),
        ('{"r": ["a.py"], "x": -1}', {"results": "r", "cost": "x"}, "`cost` must not be below 0, it is -1.0"),
        ('{"r": ["a.py"], "x": "4"}', {"results": "r", "tokens": "x"}, '`tokens` must be a finite number, it is "4"'),
        ('{"r": ["a.py"], "x": [1, 2]}', {"results": "r", "cost": "$.x[*]"}, "'$.x[*]' must name one value, it nam"),
        ("[" * 100_000, {}, "the output cannot be read: maximum recursion depth exceeded"),
        ('{"a":' * 200 + "1" + "}" * 200, {"results": "$..r"}, "'$..r' cannot be looked up: "),
    ],
)
def test_what_cannot_be_read_is_an_error_that_says_where(output: bytes | str, keys: dict[str, str], words: str) -> None:
    assert words in refusal(output, **keys)


def test_a_long_answer_is_shown_in_part_and_without_the_path_of_the_copy() -> None:
    message = refusal(json.dumps([{"file": f"{ROOT}/a.py", "text": "x" * 10_000}]))
    assert '{"file": "{root}/a.py", "text": "xxx' in message
    assert len(message) < 400


def test_a_named_member_asks_for_json() -> None:
    assert "it must be JSON" in refusal("a.py\n", path="file")


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"output": "jsnol"}, "unknown output 'jsnol'; did you mean 'jsonl'? known: auto, lines, nul, json, jsonl"),
        ({"results": "$.hits["}, "results: '$.hits[' is no JSONPath (RFC 9535): unexpected end of query"),
        ({"path": "$.a | $.b"}, "path: '$.a | $.b' is no JSONPath (RFC 9535): "),
        ({"score": 3}, "score must be a string that is not empty, this is 3"),
        ({"cost": ""}, "cost must be a string that is not empty, this is ''"),
        ({"output": "lines", "score": "s"}, "score is for JSON, but output is 'lines'; leave one of them out"),
        ({"end_line": "to"}, "end_line needs start_line"),
    ],
)
def test_keys_that_cannot_be_are_refused(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError) as refused:
        OutputReader.from_table(keys, "arms.toml: [arms.mine]")
    assert str(refused.value).startswith(f"arms.toml: [arms.mine]: {words}")


PATHS = st.lists(st.text(st.characters(codec="utf-8"), min_size=1), unique=True)


@given(PATHS, st.sampled_from(["json", "jsonl", "nul"]))
def test_the_files_of_a_snapshot_come_back_from_every_writing_of_them(paths: list[str], format_: str) -> None:
    kept = [path for path in paths if "\0" not in path and path.strip()]
    writings = {
        "json": json.dumps(kept),
        "jsonl": "".join(f"{json.dumps({'path': path})}\n" for path in kept),
        "nul": "\0".join(kept),
    }
    reader = OutputReader.from_table({"output": format_}, "here")
    answer = reader.answer(writings[format_].encode(), MemorySnapshot(dict.fromkeys(kept, b"")), None)
    assert list(answer.ranking) == kept


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "replace")))
def test_whatever_is_printed_there_is_an_answer_with_a_known_path_or_none_at_all_or_an_error(output: bytes) -> None:
    with suppress(OutputError):
        answer = OutputReader.from_table({}, "here").answer(output, SNAPSHOT, ROOT)
        assert not answer.ranking or set(answer.ranking) & set(FILES)
