"""`cache`: what the index cache holds, and emptying it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.arms.arb.dense.vector_cache import stored_vectors
from pytest_retrieval_bench.index.cache import MAX_BYTES, IndexCache, default_folder


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("cache", help="the stored indexes of snapshots", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--info", action="store_true", help="say where the cache is, how many entries it has, how large it is"
    )
    what.add_argument("--clear", action="store_true", help="remove every entry")
    parser.add_argument("--rb-cache-dir", type=Path, metavar="DIR", help="the cache folder (default: the user's)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints one line, and another one where there are vectors."""
    cache = IndexCache(options.rb_cache_dir or default_folder())
    info = cache.clear() if options.clear else cache.info()
    size = f"{info.entries} entries, {info.size / 2**20:.1f} MiB"
    if options.clear:
        print(f"{info.folder}: removed {size}")  # noqa: T201
    else:
        print(f"{info.folder}: {size} of at most {MAX_BYTES / 2**20:.0f} MiB")  # noqa: T201
    vectors = stored_vectors(info.folder)
    if vectors:
        bytes_of_vectors = sum(path.stat().st_size for path in vectors)
        told = f"vectors of {len(vectors)} models, {bytes_of_vectors / 2**20:.1f} MiB"
        print(f"{info.folder}: {'removed ' if options.clear else ''}{told}")  # noqa: T201
    for path in vectors if options.clear else ():
        path.unlink()
    return 0
