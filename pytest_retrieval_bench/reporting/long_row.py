"""What a row of the long table of `--rb-view-csv` is."""

from __future__ import annotations

from typing import Final

# `n` counts the samples that the value is from.
LongRow = tuple[str, str, str, str, int, float]
COLUMNS: Final = ("arm", "view", "group", "measure", "n", "value")
