"""Services that must be given a snapshot before they are asked about it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.arms.http.arm import HttpArm, HttpError
from pytest_retrieval_bench.model import Answer
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from tests.arms.http.loopback import FOUND, SNAPSHOT, Service, in_turn, make_arm, question, says
from tests.memory_snapshot import MemorySnapshot

FINE = says(200, FOUND)


@dataclass
class Copy:
    root: Path
    accepted: int = 0

    def accept_new_files(self) -> int:
        self.accepted += 1
        return 4096


class CopiedSnapshot(MemorySnapshot):
    """Hands out one copy for each owner."""

    def __init__(self, folder: Path) -> None:
        super().__init__({"shop/cart.py": b"", "shop/tax.py": b""}, "acme/shop", "b" * 40)
        self.folder = folder
        self.copies: dict[str, Copy] = {}

    def workspace(self, owner: str = "") -> Any:
        return self.copies.setdefault(owner, Copy(self.folder / f"copy{len(self.copies)}"))


@pytest.fixture
def copied(tmp_path: Path) -> CopiedSnapshot:
    return CopiedSnapshot(tmp_path)


@pytest.fixture
def arm(service: Service) -> Iterator[HttpArm]:
    made = make_arm(
        service.url, body={"q": "{query}", "dir": "{root}"}, prepare={"url": f"{service.url}/index", "body": ["{root}"]}
    )
    yield made
    made.close()


def answer(arm: HttpArm, snapshot: Snapshot) -> Answer:
    return arm.answer(question(), snapshot, 5)


def test_a_snapshot_is_made_ready_once(arm: HttpArm, service: Service, copied: CopiedSnapshot) -> None:
    arm.make_ready(copied)
    assert [list(answer(arm, copied).ranking) for _ in range(2)] == [["shop/cart.py", "shop/tax.py"]] * 2
    assert [request.target for request in service.received] == ["/index", "/search", "/search"]


def test_it_is_told_of_the_copy_that_the_questions_name(arm: HttpArm, service: Service, copied: CopiedSnapshot) -> None:
    arm.make_ready(copied)
    answer(arm, copied)
    root = str(copied.copies["mine"].root)
    assert [request.value for request in service.received] == [[root], {"q": question().text, "dir": root}]


def test_what_it_writes_into_the_copy_is_accepted_and_recorded(arm: HttpArm, copied: CopiedSnapshot) -> None:
    arm.make_ready(copied)
    index = answer(arm, copied).index
    assert copied.copies["mine"].accepted == 1
    assert index is not None
    assert (index.bytes, index.wall_ms > 0) == (4096, True)


def test_a_copy_that_was_made_anew_is_made_ready_again(arm: HttpArm, service: Service, copied: CopiedSnapshot) -> None:
    arm.make_ready(copied)
    copied.copies.clear()
    copied.folder /= "anew"
    assert answer(arm, copied).error is None
    assert [request.target for request in service.received] == ["/index", "/index", "/search"]


def test_a_refusal_is_remembered_and_names_no_folder(arm: HttpArm, service: Service, copied: CopiedSnapshot) -> None:
    service.answer = lambda handler: handler.send(422, f"{copied.copies['mine'].root}: too large".encode())
    for ask in (arm.make_ready, lambda snapshot: answer(arm, snapshot)):
        with pytest.raises(HttpError, match=r"^prepare: HTTP 422 .*: \{root\}: too large$"):
            ask(copied)
    assert len(service.received) == 1


def test_an_answer_may_name_files_below_the_copy(arm: HttpArm, service: Service, copied: CopiedSnapshot) -> None:
    def absolute(handler: Any) -> None:
        path = f"{copied.copies['mine'].root}/shop/tax.py"
        handler.send(200, json.dumps({"results": [{"path": path}]}).encode())

    service.answer = in_turn(FINE, absolute)
    assert list(answer(arm, copied).ranking) == ["shop/tax.py"]


def test_a_service_that_keeps_nothing_shares_the_copy_with_others(service: Service, copied: CopiedSnapshot) -> None:
    arm = make_arm(service.url, body={"q": "{query}", "dir": "{root}"})
    answer(arm, copied)
    arm.close()
    assert list(copied.copies) == [""]


def test_no_copy_is_made_for_a_service_that_is_not_told_of_one(service: Service, copied: CopiedSnapshot) -> None:
    arm = make_arm(service.url)
    answer(arm, copied)
    arm.close()
    assert copied.copies == {}


def test_a_value_that_the_snapshot_lacks_is_an_error_that_names_it(service: Service) -> None:
    arm = make_arm(f"{service.url}/{{project}}", snapshots={"acme/other": {"project": "7"}})
    with pytest.raises(HttpError, match=f"^snapshots has no 'project' for acme/shop@{'a' * 40}; add it to the arm$"):
        arm.answer(question(), SNAPSHOT, 5)
    assert service.received == []
