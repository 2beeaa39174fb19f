"""A process that asks a service, as a worker does: `python -m tests.arms.http.asker URL TIMES KEYS-AS-JSON`."""

from __future__ import annotations

import json
import sys

from tests.arms.http.loopback import SNAPSHOT, make_arm, question


def main(url: str, times: int, keys: str) -> None:
    arm = make_arm(url, **json.loads(keys))
    for _ in range(times):
        answer = arm.answer(question(), SNAPSHOT, 5)
        assert answer.error is None, answer.error
    arm.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
