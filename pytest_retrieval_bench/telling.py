"""Words on the progress of what takes long, while pytest captures what tests print."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import pytest


def teller(config: pytest.Config) -> Callable[[str], None]:
    """Writes a line to the terminal of the run; a worker has none, and tells nothing."""

    def tell(words: str) -> None:
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        capture = config.pluginmanager.get_plugin("capturemanager")
        if reporter is not None:
            with nullcontext() if capture is None else capture.global_and_fixture_disabled():
                reporter.ensure_newline()
                if config.get_terminal_writer().width_of_current_line:
                    reporter.write_line("")  # the dots of workers, of which the reporter does not know
                reporter.write_line(f"retrieval-bench: {words}")
                reporter.flush()

    return tell
