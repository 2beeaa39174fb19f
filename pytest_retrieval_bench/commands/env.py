"""`env`: what this environment can run, what it cannot, and the line that mends it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.environment import findings
from pytest_retrieval_bench.index.cache import default_folder
from pytest_retrieval_bench.reporting.layout import aligned


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("env", help="what this environment can run", description=__doc__)
    parser.add_argument("--rb-cache-dir", type=Path, metavar="DIR", help="the cache folder (default: the user's)")
    parser.add_argument("--rb-corvint", default="corvint", metavar="PATH", help="the corvint executable")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints a line a finding; 1 where something is missing that every run needs."""
    found = list(findings(options.rb_cache_dir or default_folder(), options.rb_corvint))
    rows = [[one.name, one.state, one.found, one.mend and f"-> {one.mend}"] for one in found]
    for line in aligned(rows, range(4)):
        print(line)  # noqa: T201
    return int(any(one.state == "missing" for one in found))
