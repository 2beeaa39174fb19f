"""The frozen halves of the benchmark's repositories (PROTOCOL 1)."""

from __future__ import annotations

import hashlib

_FOLD_A = """HypothesisWorks/hypothesis astral-sh/ruff caddyserver/caddy gin-gonic/gin huggingface/diffusers
ipython/ipython microsoft/playwright mockito/mockito numpy/numpy pytest-dev/pytest python/mypy scrapy/scrapy vitejs/vite
vuejs/core"""
_FOLD_B = """clap-rs/clap eslint/eslint etcd-io/etcd fastapi/fastapi huggingface/transformers pallets/click
pydantic/pydantic pypa/pip spring-projects/spring-boot tokio-rs/tokio tox-dev/tox"""
_FOLDS = dict.fromkeys(_FOLD_A.split(), "A") | dict.fromkeys(_FOLD_B.split(), "B")


def fold(repo: str) -> str:
    """`A`, `B`, or `unassigned` for a repository outside of the map."""
    return _FOLDS.get(repo, "unassigned")


def fold_map_sha256() -> str:
    """The digest of the map: SHA-256 over its lines `fold TAB repo LF`, sorted by repository."""
    lines = "".join(f"{_FOLDS[repo]}\t{repo}\n" for repo in sorted(_FOLDS))
    return hashlib.sha256(lines.encode()).hexdigest()
