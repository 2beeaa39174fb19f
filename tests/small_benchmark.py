"""A benchmark of four samples, small enough that each value can be worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMIT = "a" * 40
SHOP = {
    "README.md": "A shop.\n",
    "shop/cart.py": "def add_item(cart, item):\n    cart.append(item)\n",
    "shop/price.py": "def totalPrice(cart):\n    return sum(cart)\n",
    "tests/test_cart.py": "from shop.cart import add_item\n",
}
CLOCK = {"src/clock.ts": "export function tickClock() { return Date.now() }\n", "src/zone.ts": "export const utc = 0\n"}

Row = dict[str, Any]

ROWS: list[Row] = [
    {
        "id": "cart-test",
        "task_type": "code2test",
        "repo": "acme/shop",
        "base_commit": COMMIT,
        "query": {"changed_file": "shop/cart.py", "pr_title": "add_item keeps the order"},
        "gold": {"related_tests": ["tests/test_cart.py"], "negative_distractors": ["shop/price.py"]},
    },
    {
        "id": "wrong-sum",
        "task_type": "trace2code",
        "repo": "acme/shop",
        "base_commit": COMMIT,
        "query": {"raw_signal": "totalPrice is wrong"},
        "gold": {"root_cause_files": ["shop/price.py"]},
    },
    {
        "id": "tick",
        "task_type": "trace2code",
        "repo": "acme/clock",
        "base_commit": COMMIT,
        "query": {"raw_signal": "see tickClock in the log"},
        "gold": {"files": ["src/zone.ts"]},
    },
    {
        "id": "nothing-here",
        "task_type": "abstention",
        "repo": "acme/clock",
        "base_commit": COMMIT,
        "query": {"text": "how do we deploy_to_staging"},
        "gold": {"no_gold": True},
        "metadata": {"organic": True},
    },
]


@dataclass(frozen=True)
class SmallBenchmark:
    """Where the files of a small benchmark lie."""

    folder: Path

    @property
    def samples(self) -> Path:
        return self.folder / "samples.jsonl"

    @property
    def corpus(self) -> Path:
        return self.folder / "corpus"

    @property
    def options(self) -> list[str]:
        return [f"--rb-samples={self.samples}", f"--rb-corpus={self.corpus}"]

    def chunk_file(self, repo: str) -> Path:
        return self.corpus / repo.replace("/", "__") / f"{COMMIT}.chunks.jsonl"

    def write_samples(self, rows: Iterable[Row], name: str = "samples.jsonl") -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    def write_snapshot(self, repo: str, tree: Mapping[str, str]) -> Path:
        path = self.chunk_file(repo)
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = ({"kind": "file", "path": name, "text": text} for name, text in tree.items())
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path


def write_small_benchmark(folder: Path) -> SmallBenchmark:
    """Writes the samples and the corpus into a folder."""
    small = SmallBenchmark(folder)
    small.write_samples(ROWS)
    small.write_snapshot("acme/shop", SHOP)
    small.write_snapshot("acme/clock", CLOCK)
    return small
