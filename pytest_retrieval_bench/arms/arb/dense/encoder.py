"""The model itself, through sentence-transformers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_retrieval_bench.arms.arb.dense.settings import DenseSettings
from pytest_retrieval_bench.errors import SettingsError

Vectors = npt.NDArray[np.float32]


class Encoder:
    """A loaded model; vectors have the length 1."""

    def __init__(self, settings: DenseSettings) -> None:
        self._settings = settings
        self._model = _load(settings)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A vector for each text, one a row."""
        vectors = self._model.encode(
            list(texts),
            batch_size=self._settings.batch_size,
            convert_to_numpy=True,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, np.float32)


def _load(settings: DenseSettings) -> Any:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling

    model = SentenceTransformer(str(settings.folder), device=settings.device, local_files_only=True)
    if settings.pooling is None:
        return model
    places = [place for place, module in enumerate(model) if isinstance(module, Pooling)]
    if not places:
        raise SettingsError(f"{settings.model}: pooling: the model has no layer that pools; leave the key out")
    for place in places:
        model[place] = Pooling(model[place].embedding_dimension, settings.pooling)
    return model
