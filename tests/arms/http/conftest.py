"""A server on loopback for the tests of arms that ask one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.arms.http.loopback import Service, serving


@pytest.fixture
def service() -> Iterator[Service]:
    with serving() as running:
        yield running
