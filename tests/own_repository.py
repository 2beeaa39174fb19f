"""A team's repository with ten questions of its own, all invented."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.snapshots.worktree import commit_all, git, make_worktree, write_tree

REPO = "acme/shop"
FILES = {
    "shop/total.py": "def total(cart):\n    # an empty cart\n    return sum(cart)\n",
    "shop/voucher.py": "def redeem_voucher(code, expired):\n    return not expired\n",
    "shop/address.py": "def parse_postcode(address):\n    return address.split()[-1]\n",
    "shop/invoice.py": "def render_invoice(order):\n    return 'pdf'\n",
    "shop/stock.py": "def reserve_stock(item, warehouse):\n    warehouse.remove(item)\n",
    "shop/search.py": "def search_products(words):\n    return sorted(words)\n",
    "shop/login.py": "def check_password(user, password):\n    return bool(password)\n",
    "shop/mail.py": "def send_newsletter(subscribers):\n    return len(subscribers)\n",
    "shop/currency.py": "def convert_currency(amount, rate):\n    return amount * rate\n",
    "README.md": "The shop.\n",
}
QUESTIONS = {
    "An empty cart shows a total of 1": "shop/total.py",
    "A voucher that has expired is still accepted": "shop/voucher.py",
    "The postcode of my address is cut off": "shop/address.py",
    "The invoice of an order is an empty pdf": "shop/invoice.py",
    "The same item is sold twice from one warehouse": "shop/stock.py",
    "Search does not find products with two words": "shop/search.py",
    "The password check lets everybody in": "shop/login.py",
    "The newsletter goes to former subscribers": "shop/mail.py",
    "Amounts in another currency use yesterday's rate": "shop/currency.py",
    "The card company declines my payment at night": None,
}


def write_own_repository(folder: Path, suite: str) -> str:
    """Makes the repository, whose last commit adds the suite and ten questions about its first; the first one's id."""
    base = make_worktree(folder, {path: text.encode() for path, text in FILES.items()})
    write_tree(folder, {"shop/total.py": b"def total(cart):\n    return sum(cart, 0)\n"})
    git(folder, "commit", "--quiet", "--all", "--message=An empty cart no longer shows a wrong total")
    lines = (json.dumps(row) for row in rows(base))
    write_tree(folder, {"suite.toml": suite.encode(), "samples.jsonl": "".join(f"{line}\n" for line in lines).encode()})
    commit_all(folder)
    return base


def rows(base: str) -> list[dict[str, Any]]:
    """The ten questions about a commit."""
    return [
        {
            "id": f"issue-{number}",
            "task_type": "issue2code",
            "repo": REPO,
            "base_commit": base,
            "query": {"text": text},
            "gold": {"files": [path]} if path else {"no_gold": True},
            **({} if path else {"metadata": {"organic": True}}),
        }
        for number, (text, path) in enumerate(QUESTIONS.items(), 101)
    ]
