"""The README from top to bottom as a newcomer follows it: each command as printed, what it shows of an output compared.

Run in a clone, with a fresh virtual environment first on PATH: `python -m tests.house.newcomer`. What the README says
is run "in a clone" runs there; all else in a folder that has the files it speaks of.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

from tests.house.pages import follow

README = Path(__file__).parents[2] / "README.md"
IN_CLONE = "In a clone"


def sections() -> tuple[list[str], list[str]]:
    """The sections of the README that are followed in the clone, and those that are followed elsewhere."""
    found = re.split(r"^## ", README.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [one for one in found if IN_CLONE in one], [one for one in found if IN_CLONE not in one]


def main() -> None:
    """Follows the README."""
    in_clone, elsewhere = sections()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        for section in in_clone:
            follow(section, README.parent, README.name)
        for section in elsewhere:
            follow(section, Path(folder), README.name)
    sys.stdout.write("README.md: every command ran as it is printed\n")


if __name__ == "__main__":
    main()
