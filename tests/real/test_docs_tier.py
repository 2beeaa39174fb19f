"""The descriptive tier on real documentation, where the clones are at hand: third-party data that no project carries.

`RB_CLONES` names a folder with the clones `scikit-learn` and `django`, which hold the commits below.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench import DocsBenchmark, DocsRules, build_docs
from pytest_retrieval_bench.snapshots.git_objects import list_blobs, read_blobs, tree_id
from tests.reference import docs_tier as seed

CLONES = Path(os.environ.get("RB_CLONES", ""))
NO_CLONES = "RB_CLONES does not name a folder with the clones scikit-learn and django"


@dataclass(frozen=True)
class Real:
    """A repository, the seed's rules for it, and what it published: digest, rows and gold files, long and short."""

    seed: seed.Rules
    commit: str
    exclude: tuple[str, ...]
    published: tuple[tuple[str, int, int], tuple[str, int, int]]


REAL = {
    "scikit-learn": Real(
        seed.Rules(
            "scikit-learn",
            "scikit-learn/scikit-learn",
            "doc",
            ".rst",
            "sklearn",
            r"doc/(?:(?:whats_new|about|faq|governance|presentations|related_projects|roadmap|support)\.rst"
            r"|(?:developers|sphinxext|templates|testimonials|whats_new)/.*"
            r"|(?:[^/]*team|install|maintainers)[^/]*\.rst)",
        ),
        "7cb1868aac973906fe5293485133d873c0fe6c42",
        (
            *(f"doc/{name}.rst" for name in ("whats_new", "about", "faq", "governance", "presentations")),
            *(f"doc/{name}.rst" for name in ("related_projects", "roadmap", "support")),
            *(f"doc/{name}/**" for name in ("developers", "sphinxext", "templates", "testimonials", "whats_new")),
            *("doc/*team*.rst", "doc/install*.rst", "doc/maintainers*.rst"),
        ),
        (
            ("214bc462da13821335bafccb0f3024fbe4463fbbd472d25b9dee8e2d828a3b53", 430, 683),
            ("aafe92913fa9cb34fa15ba09bdeea41364f29f960659fc3e0940db8d5bc456fa", 360, 587),
        ),
    ),
    "django": Real(
        seed.Rules("django", "django/django", "docs", ".txt", "django", r"docs/(?:releases|internals|faq)/.*"),
        "7d75c0b9285f0e29cb796c647cc27f2076f9d49c",
        ("docs/releases/**", "docs/internals/**", "docs/faq/**"),
        (
            ("19e6351522533f9b23b09745657c9b18b11f5c155e20657d2129fea38e458d69", 1296, 2112),
            ("6349ba82ec1b92e8cf22872508c3533f7a471fe2551cfa8efda1aa06772115a0", 1115, 1801),
        ),
    ),
}


def real(name: str) -> Real:
    if not (CLONES / name).is_dir() or not os.environ.get("RB_CLONES"):
        pytest.skip(NO_CLONES)
    return REAL[name]


@cache
def texts(name: str) -> dict[str, str]:
    """The documents and the Python of a repository."""
    clone, one = CLONES / name, REAL[name]
    ends = (b".py", one.seed.suffix.encode())
    blobs = [
        blob for blob in list_blobs(clone, tree_id(clone, one.commit)) if blob.is_regular and blob.path.endswith(ends)
    ]
    contents = zip(blobs, read_blobs(clone, blobs), strict=True)
    return {blob.path.decode(): content.decode("utf-8", "replace") for blob, content in contents}


def of_seed(name: str, *, short: bool = False) -> list[seed.Instance]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of strangers' escape sequences
        kept, ends = seed.query_set(texts(name), REAL[name].seed, REAL[name].commit, short=short)
    assert ends.total() == sum(1 for _ in seed.all_sections(texts(name), REAL[name].seed))
    return kept


@cache
def ours(name: str) -> DocsBenchmark:
    one = REAL[name]
    rules = DocsRules(one.seed.repo, one.commit, one.seed.docs, (one.seed.package,), one.exclude)
    return build_docs(CLONES / name, rules)


@pytest.mark.parametrize("short", [False, True], ids=["long", "short"])
@pytest.mark.parametrize("name", REAL)
def test_the_rules_of_the_seed_give_its_published_sets_byte_for_byte(name: str, short: bool) -> None:
    one = real(name)
    kept = of_seed(name, short=short)
    digest = hashlib.sha256(seed.serialised(kept)).hexdigest()
    assert (digest, len(kept), sum(len(instance.led) for instance in kept)) == one.published[short]


def differences(name: str) -> Counter[str]:
    """How many gold files of the seed are none of ours, by what our rules say of the references that led to them."""
    mine: dict[str, Any] = {str(row["id"]): row for row in ours(name).rows}
    found: Counter[str] = Counter()
    for instance in of_seed(name):
        row = mine.get(instance.row["instance_id"])
        if row is None:
            found["its section is no question"] += len(instance.led)
            continue
        for path, targets in instance.led.items():
            if path in row["gold"]["files"]:
                found["the same"] += 1
                continue
            told = [
                one for one in row["metadata"]["references"] if any(one["target"].endswith(each) for each in targets)
            ]
            if any("file" in one for one in told):
                found["another file defines it"] += 1
            else:
                found["no file defines it" if told else "nothing refers to it"] += 1
    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "scikit-learn",
            {
                "the same": 576,
                "its section is no question": 66,
                "another file defines it": 38,
                "no file defines it": 2,
                "nothing refers to it": 1,  # a backtick too many before the role
            },
        ),
        (
            "django",
            {
                "the same": 1943,
                "its section is no question": 86,
                "no file defines it": 46,
                "another file defines it": 36,
                "nothing refers to it": 1,  # a role that is quoted as an example
            },
        ),
    ],
)
def test_each_gold_file_of_the_seed_that_is_none_of_ours_has_a_reason(name: str, expected: dict[str, int]) -> None:
    real(name)
    assert differences(name) == expected


@pytest.mark.parametrize(
    ("name", "sections"),
    [
        (
            "scikit-learn",
            {"kept": 450, "mostly names": 2, "names no code": 211, "no gold": 15, "under 120 characters": 5},
        ),
        (
            "django",
            {"kept": 1717, "mostly names": 17, "names no code": 1722, "no gold": 160, "under 120 characters": 147},
        ),
    ],
)
def test_our_rules_give_these_counts(name: str, sections: dict[str, int]) -> None:
    real(name)
    built = ours(name)
    assert dict(built.sections) == sections
    assert len({str(row["id"]) for row in built.rows}) == len(built.rows) == sections["kept"]
