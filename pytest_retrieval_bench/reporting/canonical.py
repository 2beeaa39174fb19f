"""Canonical JSON: RFC 8785 and one final line feed (PROTOCOL 8)."""

from __future__ import annotations

from typing import Any

import rfc8785


def canonical(value: Any) -> bytes:
    """The bytes of a JSON value, the same for equal values.

    Raises ValueError for what JSON does not have (NaN, lone surrogates) or cannot keep exactly (integers over 2^53).
    """
    try:
        return rfc8785.dumps(value) + b"\n"
    except rfc8785.CanonicalizationError as error:
        raise ValueError(str(error)) from error
