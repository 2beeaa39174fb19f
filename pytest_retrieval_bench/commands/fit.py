"""`fit`: weights for a fusion of arms, from the rankings that a report holds."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.files import why_not_new, write_atomically
from pytest_retrieval_bench.text.arm_names import split_names


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("fit", help="weights for a fusion of arms", description=__doc__)
    parser.add_argument("report", type=Path, metavar="REPORT.json", help="a report with the arms")
    parser.add_argument("--arms", required=True, metavar="A,B", help="two arms or more")
    parser.add_argument("--metric", default="mrr@k", metavar="METRIC", help="mrr@k (default) or recall@20")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.json", help="where to write the weights")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Writes the weights and prints them.

    Raises ReportError for what cannot be fitted, read or written.
    """
    # They bring numpy, which the other commands do not wait for.
    from pytest_retrieval_bench.reporting.fitting import fit
    from pytest_retrieval_bench.reporting.load import load_report
    from pytest_retrieval_bench.reporting.merge import merge

    why = why_not_new(options.out)
    if why is not None:
        raise ReportError(why)
    found = fit(merge([load_report(options.report)]), split_names(options.arms), options.metric)
    write_atomically(options.out, f"{json.dumps(found.as_json(), indent=2)}\n".encode())
    told = ", ".join(f"{arm} {weight:g}" for arm, weight in found.by_arm.items())
    value = f"{found.metric} {found.value:.3f} on the samples that they were chosen by (n={found.n})"
    print(f"{options.out}: {told}; {value}")  # noqa: T201
    return 0
