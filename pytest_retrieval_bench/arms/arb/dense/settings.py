"""Which model a dense arm asks, and how."""

from __future__ import annotations

import hashlib
import importlib.metadata
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from pytest_retrieval_bench.arms.table import Table
from pytest_retrieval_bench.errors import SettingsError

Pooling = Literal["mean", "cls", "max", "lasttoken"]

POOLINGS: tuple[Pooling, ...] = ("mean", "cls", "max", "lasttoken")
_MODEL_FILE = "modules.json"
_BATCH = 32
_MAX_BATCH = 4096
_KEYS = ("model", "query_prefix", "passage_prefix", "pooling", "batch_size", "device")


@dataclass(frozen=True, slots=True)
class DenseSettings:
    """`folder` holds a model of sentence-transformers; `model` is how it was named.

    The prefixes come before each query and each chunk. `pooling` None leaves it to the model, and so does `device`
    None to the library: a GPU where there is one.
    """

    model: str
    folder: Path
    query_prefix: str = ""
    passage_prefix: str = ""
    pooling: Pooling | None = None
    batch_size: int = _BATCH
    device: str | None = None

    @classmethod
    def from_table(cls, table: Table, directory: Path) -> DenseSettings:
        """The settings of an `[arms.NAME]` table of kind `dense`.

        Raises SettingsError, naming the table and the key.
        """
        table.check_keys(_KEYS)
        model = table.text("model")
        if model is None:
            table.refuse("it needs the key model, a folder or an installed package")
        return cls(
            model,
            model_folder(model, directory, table.source),
            table.text("query_prefix") or "",
            table.text("passage_prefix") or "",
            table.choice("pooling", POOLINGS),
            table.whole_number("batch_size", _BATCH, _MAX_BATCH),
            table.text("device"),
        )


def check_installed(source: str) -> None:
    """Raises SettingsError, naming the source, where the extra is not installed."""
    if find_spec("sentence_transformers") is None:
        raise SettingsError(f"{source}: it needs pip install 'pytest-retrieval-bench[dense]'")


def model_folder(model: str, directory: Path, source: str, marker: str = _MODEL_FILE) -> Path:
    """The folder of a model: a folder, relative to the caller's directory, or that in an installed package.

    It is known by the file `marker` in it. Nothing is downloaded, and no code of the package is run. Raises
    SettingsError, naming the source.
    """
    folder = directory / model
    if (folder / marker).is_file():
        return folder
    try:
        files = importlib.metadata.files(model) or []
    except (importlib.metadata.PackageNotFoundError, ValueError):
        files = []
    found = next((Path(str(file.locate())) for file in files if file.name == marker), None)
    if found is None or not found.is_file():
        what = f"{folder} has no {marker}, and no installed package {model!r} holds a model"
        raise SettingsError(f"{source}: {what}; nothing is downloaded")
    return found.parent


def model_digest(folder: Path) -> str:
    """SHA-256 over the files of a model, by name.

    Raises SettingsError where one cannot be read.
    """
    digest = hashlib.sha256()
    try:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            with path.open("rb") as stream:
                content = hashlib.file_digest(stream, "sha256").hexdigest()
            digest.update(f"{content} {path.relative_to(folder).as_posix()}\n".encode())
    except OSError as error:
        raise SettingsError(f"{folder}: the model cannot be read: {error}") from error
    return digest.hexdigest()
