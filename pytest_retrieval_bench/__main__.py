"""The entry point of `python -m pytest_retrieval_bench`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from pytest_retrieval_bench.commands import agents, cache, corpus, doctor, env, html, new, schema
from pytest_retrieval_bench.errors import BenchmarkError


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status; a refusal goes to standard error."""
    parser = argparse.ArgumentParser(prog="python -m pytest_retrieval_bench", description=__doc__)
    parser.set_defaults(refused=1)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (agents, cache, corpus, doctor, env, html, new, schema):
        command.add(commands)
    options = parser.parse_args(arguments)
    status: int
    try:
        status = options.run(options)
    except BenchmarkError as error:
        print(error, file=sys.stderr)  # noqa: T201
        status = options.refused
    return status


if __name__ == "__main__":
    sys.exit(main())
