"""A trap of pytest's command line: `--rb-samples PATH` with a space can move the root directory."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

_OPTION_APART = re.compile(r"--rb-[a-z-]+")
_OWN_FILES = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini")
_SECTIONS = {"pyproject.toml": "[tool.pytest", "tox.ini": "[pytest]", "setup.cfg": "[tool:pytest]"}


def overlooked_ini(config: pytest.Config) -> str | None:
    """A warning when pytest reads another configuration than the working directory's own.

    pytest reads options before it knows this plugin's, takes a PATH that stands apart for a test path, and looks for
    the root directory there.
    """
    apart = [argument for argument in config.invocation_params.args if _OPTION_APART.fullmatch(str(argument))]
    if not apart or config.option.inifilename:
        return None
    directory = config.invocation_params.dir
    ini = next((file for folder in (directory, *directory.parents) if (file := _ini_in(folder))), None)
    if ini is None or ini == config.inipath:
        return None
    return (
        f"pytest took {config.rootpath} for its root directory and did not read {ini}; "
        f"write {apart[0]}=VALUE (with `=`), or give -c {ini}"
    )


def _ini_in(folder: Path) -> Path | None:
    for name in (*_OWN_FILES, *_SECTIONS):
        file = folder / name
        if file.is_file() and _SECTIONS.get(name, "") in file.read_text(encoding="utf-8", errors="replace"):
            return file
    return None
