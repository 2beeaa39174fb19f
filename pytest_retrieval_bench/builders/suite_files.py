"""The files of a new suite: what runs, what is asked, and what a person has to do first."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from pytest_retrieval_bench.model import Json

_SUITE = """\
title = {title}
samples = "samples.jsonl"
# What holds the commits of the samples: the clone of each repository, from this folder.
git = {{{clones}}}
"""

_GATES = """\
# What must hold, once every sample is reviewed:
# gates = ["bm25:all hit@k >= 0.5", "errors <= 0"]
"""

_README = """\
# Questions about {repo}

`samples.jsonl` holds {count} candidates from the history of the repository: the message of a commit is the question,
the source files that it changed are the gold, its parent is the commit that is searched. They are guesses. Every run
says how many of them are not reviewed.

For each row:

1. **The question** (`query.text`): would somebody ask this who does not know the answer? A message is written by the
   one who knows it. Write it as the person would who met the problem, or take the words of the issue.
   `metadata.identifiers_of_the_answer` are names that stand in the question and in the changed lines: a word search
   finds these. Take them out unless the person who asks would know them.
2. **The gold** (`gold.files`): must each file be read to answer? Take out what was changed in passing. Put in what
   must be read and was not changed. `metadata` lists what changed beside it: `tests`, `documents`, `by_products`
   (changelogs, lock files, generated files), and `added`, which nobody could have found in the commit before.
3. **Persons**: addresses, mentions and trailers are taken out; names in the text are not. Take them out.
4. Then remove `"reviewed": false`, or remove the row.

A question that the repository does not answer belongs in a suite as well: `"gold": {{"no_gold": true}}` with
`"metadata": {{"organic": true}}`. It shows which retrievers keep silent.

Run it from the folder in which this one lies: `pytest --rb-suite={name}`.
"""


def suite_files(name: str, repo: str, clone: str, rows: Sequence[Mapping[str, Json]]) -> dict[str, bytes]:
    """The contents of the files by their names, the one that makes a folder a suite last.

    `name` is that of the folder, `clone` the path of the clone from there.
    """
    return {
        "samples.jsonl": samples_file(rows),
        "README.md": _README.format(repo=repo, count=len(rows), name=name).encode(),
        "suite.toml": suite_toml(f"Questions about {repo}", {repo: clone}) + _GATES.encode(),
    }


def samples_file(rows: Sequence[Mapping[str, Json]]) -> bytes:
    """A samples file of rows, in their order."""
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode()


def suite_toml(title: str, clones: Mapping[str, str]) -> bytes:
    """The file that makes a folder with a `samples.jsonl` a suite.

    `clones` are the paths of the clones from there, by OWNER/NAME.
    """
    listed = ", ".join(f"{_toml(repo)} = {_toml(clone)}" for repo, clone in clones.items())
    return _SUITE.format(title=_toml(title), clones=listed).encode()


def _toml(text: str) -> str:
    """A TOML string; of text that can be printed JSON has the same form."""
    return json.dumps(text, ensure_ascii=False)
