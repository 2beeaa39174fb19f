"""What the plugin costs the test runs of people who do not use it."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "scipy", "orjson", "rfc8785", "hashlib", "subprocess", "pytest_retrieval_bench.model")


def test_importing_the_plugin_loads_nothing_heavy() -> None:
    code = (
        "import sys, pytest, pluggy; before = set(sys.modules); import pytest_retrieval_bench.plugin; "
        "print(*sorted(set(sys.modules) - before))"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = finished.stdout.split()
    assert "pytest_retrieval_bench.plugin" in loaded
    assert not set(loaded) & set(HEAVY)
    ours = {"plugin", "options", "hooks", "fixtures", "version"}
    assert {name.partition(".")[2] for name in loaded if name.startswith("pytest_retrieval_bench")} <= ours | {""}


def test_a_corpus_in_the_ini_file_alone_loads_nothing_heavy(pytester: pytest.Pytester) -> None:
    pytester.mkdir("corpus")
    pytester.makeini("[pytest]\nrb_corpus = corpus")
    pytester.makepyfile(
        test_mine="import sys\ndef test_mine(): assert not {'numpy', 'orjson', 'scipy'} & set(sys.modules)"
    )
    finished = pytester.runpytest_subprocess("-p", "no:benchmark", "-p", "no:hypothesispytest")
    finished.assert_outcomes(passed=1)


def test_every_public_name_can_be_imported() -> None:
    import pytest_retrieval_bench

    for name in pytest_retrieval_bench.__all__:
        assert getattr(pytest_retrieval_bench, name) is not None
    assert not hasattr(pytest_retrieval_bench, "nothing_of_this_name")
