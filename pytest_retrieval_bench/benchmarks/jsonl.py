"""JSON Lines as the protocol reads them (PROTOCOL 1): strict, bounded, every error with its line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from pytest_retrieval_bench.errors import SamplesError
from pytest_retrieval_bench.model import Json
from pytest_retrieval_bench.text.strict_json import loads

MAX_FILE_BYTES = 256 * 2**20
MAX_LINE_BYTES = 4 * 2**20
_BOM = b"\xef\xbb\xbf"

Row = dict[str, Json]


def read_bounded(path: Path) -> bytes:
    """The bytes of a samples file.

    Raises SamplesError when the file is absent, unreadable or over 256 MiB.
    """
    try:
        with path.open("rb") as stream:
            return bounded(stream, path)
    except OSError as error:
        raise SamplesError(f"{path}: cannot be read: {error.strerror or error}") from error


def bounded(stream: BinaryIO, path: Path) -> bytes:
    """What a stream holds.

    Raises SamplesError, naming the path, where that is over 256 MiB.
    """
    data = stream.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise SamplesError(f"{path}: is over {MAX_FILE_BYTES >> 20} MiB, the bound for a samples file; split it")
    return data


def rows(data: bytes, path: Path) -> Iterator[tuple[str, Row]]:
    """Each row with its place.

    Raises SamplesError, naming the place, for the first one that is not a JSON object in UTF-8.
    """
    return ((where, row_of(line, where)) for where, line in lines(data, path))


def lines(data: bytes, path: Path) -> Iterator[tuple[str, bytes]]:
    """Each line with its place, FILE:NUMBER, counted from 1; blank lines are skipped but counted.

    Lines end at LF alone (a U+2028 inside a string is text); a byte order mark at the start is dropped.
    """
    for number, line in enumerate(data.removeprefix(_BOM).split(b"\n"), start=1):
        if line.strip():
            yield f"{path}:{number}", line


def row_of(line: bytes, where: str) -> Row:
    """The row on a line; a CR at its end is dropped.

    Raises SamplesError, naming `where`, for what is not a JSON object in UTF-8.
    """
    if len(line.removesuffix(b"\r")) > MAX_LINE_BYTES:
        raise SamplesError(f"{where}: the line is over {MAX_LINE_BYTES >> 20} MiB, the bound for a sample")
    try:
        row = loads(line.decode())
    except UnicodeDecodeError as error:
        raise SamplesError(f"{where}: not UTF-8 at byte {error.start + 1} of the line") from error
    except json.JSONDecodeError as error:
        raise SamplesError(f"{where}: not JSON: {error.msg.removesuffix(' at')} at column {error.colno}") from error
    except RecursionError as error:
        raise SamplesError(f"{where}: nested too deeply") from error
    except ValueError as error:
        raise SamplesError(f"{where}: {error}") from error
    if not isinstance(row, dict):
        raise SamplesError(f"{where}: a row is a JSON object, this is {type_name(row)}")
    return row


def object_of(value: Json) -> Row:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def type_name(value: Json) -> str:
    """What JSON calls the type of a value, with its article."""
    names: dict[type, str] = {
        type(None): "null",
        bool: "a boolean",
        str: "a string",
        list: "a list",
        dict: "an object",
    }
    return names.get(type(value), "a number")
