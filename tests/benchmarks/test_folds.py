"""PROTOCOL 1: the frozen map of 25 repositories."""

from __future__ import annotations

import hashlib

import pytest

from pytest_retrieval_bench.benchmarks.folds import fold, fold_map_sha256

FROZEN = {
    "HypothesisWorks/hypothesis": "A",
    "astral-sh/ruff": "A",
    "caddyserver/caddy": "A",
    "gin-gonic/gin": "A",
    "huggingface/diffusers": "A",
    "ipython/ipython": "A",
    "microsoft/playwright": "A",
    "mockito/mockito": "A",
    "numpy/numpy": "A",
    "pytest-dev/pytest": "A",
    "python/mypy": "A",
    "scrapy/scrapy": "A",
    "vitejs/vite": "A",
    "vuejs/core": "A",
    "clap-rs/clap": "B",
    "eslint/eslint": "B",
    "etcd-io/etcd": "B",
    "fastapi/fastapi": "B",
    "huggingface/transformers": "B",
    "pallets/click": "B",
    "pydantic/pydantic": "B",
    "pypa/pip": "B",
    "spring-projects/spring-boot": "B",
    "tokio-rs/tokio": "B",
    "tox-dev/tox": "B",
}


@pytest.mark.parametrize(("repo", "half"), FROZEN.items())
def test_each_repository_of_the_map_has_its_half(repo: str, half: str) -> None:
    assert fold(repo) == half


@pytest.mark.parametrize("repo", ["acme/shop", "NumPy/numpy", "numpy/numpy ", "numpy", "pallets/flask"])
def test_any_other_repository_is_unassigned(repo: str) -> None:
    assert fold(repo) == "unassigned"


def test_the_digest_of_the_map_is_the_frozen_one() -> None:
    lines = "".join(f"{FROZEN[repo]}\t{repo}\n" for repo in sorted(FROZEN))
    frozen = "8d439eb6f7cb2471e90ee905684a0054bce49462859d52db01031f7cabc8f004"
    assert hashlib.sha256(lines.encode()).hexdigest() == frozen
    assert fold_map_sha256() == frozen
