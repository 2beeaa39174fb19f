"""A real cross-encoder, small enough to be made for a test."""

from __future__ import annotations

from pathlib import Path

import pytest

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "c", "z", "##z", "py", "how", "many", "."]


def cross_encoder(folder: Path) -> Path:
    """Writes a model of two small layers with weights of chance; the test is skipped without what writes it."""
    pytest.importorskip("sentence_transformers", reason="the extra [dense] is not installed")
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    (folder / "vocab.txt").write_text("\n".join(WORDS))
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        num_labels=1, max_position_embeddings=64,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder
