"""The entry point of `python -m pytest_retrieval_bench`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from pytest_retrieval_bench.commands import agents, build, cache, corpus, doctor, env, fit, html, new, publish, schema
from pytest_retrieval_bench.errors import BenchmarkError


class _Parser(argparse.ArgumentParser):
    """Ends with 4 for a command line without sense, as pytest does."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(4, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status; a refusal goes to standard error."""
    parser = _Parser(prog="python -m pytest_retrieval_bench", description=__doc__)
    parser.set_defaults(refused=1)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (agents, build, cache, corpus, doctor, env, fit, html, new, publish, schema):
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
