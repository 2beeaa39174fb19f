"""The descriptive tier by the rules of the third seed (MINDEX 4), restated plainly, to reproduce its published sets."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

_UNDERLINE = re.compile(r"([=\-`:'\"~^_*+#<>])\1+")
_KINDS = "module|class|method|function|attribute|data|exception|classmethod|staticmethod|property"
_DIRECTIVE = re.compile(rf"\s*\.\. (?:{_KINDS})::\s*([^\s(]+)")
_CONTEXT = re.compile(r"\s*\.\. (?:current)?module::\s*(\S+)")
_ROLE = re.compile(r":(?:class|func|meth|attr|mod|exc|data|obj):`~?([A-Za-z_][\w.]*)(?:\s*\([^`]*\))?`")
_ANY_ROLE = re.compile(r":[\w:+-]+:`~?([^`]*)`")
_SENTENCE_END = re.compile(r"(?<=[a-z0-9)\]])[.!?](?:\s|$)")


@dataclass(frozen=True)
class Rules:
    """What the seed's configuration says of a corpus."""

    corpus: str
    repo: str
    docs: str
    suffix: str
    package: str
    exclude: str  # a regular expression that stands for the seed's globs


@dataclass
class Section:
    path: str
    line: int
    heading: str
    body: list[str]
    context: str | None


def sections(path: str, text: str) -> Iterator[Section]:
    lines = text.splitlines()
    current: Section | None = None
    context: str | None = None
    number = 0
    while number < len(lines):
        title = lines[number].strip()
        after = lines[number + 1].rstrip() if number + 1 < len(lines) else ""
        if title and not lines[number][0].isspace() and _UNDERLINE.fullmatch(after) and len(after) >= len(title):
            if current:
                yield current
            current = Section(path, number + 1, title, [], context)
            number += 2
            continue
        named = _CONTEXT.match(lines[number])
        if named:
            context = named[1]
        if current:
            current.body.append(lines[number])
            current.context = context
        number += 1
    if current:
        yield current


def references(section: Section) -> list[str]:
    directives = [match[1] for match in map(_DIRECTIVE.match, section.body) if match]
    return directives + _ROLE.findall("\n".join(section.body))


@dataclass
class Symbols:
    modules: dict[str, str] = field(default_factory=dict)
    owners: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    members: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, path: str, text: str) -> None:
        dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self.modules[dotted] = path
        try:
            body = ast.parse(text).body
        except SyntaxError:
            return
        for node in body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                self.owners[node.name].add(path)
                self.names[path].add(node.name)
            if isinstance(node, ast.ClassDef):
                for inner in node.body:
                    if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        self.members[f"{node.name}.{inner.name}"].add(path)
                        self.names[path].add(f"{node.name}.{inner.name}")

    def is_defining(self, path: str) -> bool:
        return bool(self.names[path])

    def resolve(self, target: str, context: str | None) -> str | None:
        if target in self.modules:
            return self.file_of(self.modules[target])
        parts = target.split(".")
        for length in range(len(parts) - 1, 0, -1):
            module = ".".join(parts[:length])
            if module in self.modules:
                return self.within(self.modules[module], parts[length:], qualified=True)
        if context in self.modules:
            return self.within(self.modules[context], parts, qualified=False)
        owners = self.owners.get(parts[0], set())
        return next(iter(owners)) if len(owners) == 1 else None

    def within(self, path: str, rest: list[str], *, qualified: bool) -> str | None:
        if path in self.owners.get(rest[0], ()):
            return path
        if qualified and path in self.members.get(".".join(rest), ()):
            return path
        owners = self.owners.get(rest[0], set())
        if len(owners) > 1:
            folder = f"{PurePosixPath(path).parent}/"
            owners = {owner for owner in owners if owner.startswith(folder)}
            return next(iter(owners)) if len(owners) == 1 else None
        return next(iter(owners)) if owners else self.file_of(path)

    def file_of(self, path: str) -> str | None:
        return path if self.is_defining(path) else None


def is_test(path: str) -> bool:
    place = PurePosixPath(path)
    return "tests" in place.parts or place.name.startswith("test_") or place.stem.endswith("_test")


def prose(section: Section) -> str:
    kept: list[str] = []
    dropping: int | None = None
    for line in section.body:
        indent = len(line) - len(line.lstrip())
        if dropping is not None:
            if not line.strip() or indent > dropping:
                continue
            dropping = None
        bare = line.strip()
        if re.match(r"\.\. [\w:+-]+::", bare) or re.fullmatch(r"\.\. _[^:]+:", bare):
            dropping = indent
            continue
        if bare.endswith("::"):
            kept.append(line.rstrip()[:-2])
            dropping = indent
            continue
        if bare.startswith((">>>", "...")):
            continue
        kept.append(line)
    text = "\n".join(kept)
    text = _ROLE.sub(lambda role: role[1].rpartition(".")[2], text)
    text = _ANY_ROLE.sub(r"\1", text)
    text = re.sub(r"``([^`]*)``", r"\1", text)
    text = re.sub(r"`_+", "", text)
    text = re.sub(r"[*`|]", "", text)
    return f"{section.heading}. {' '.join(text.split())}"[:1500]


def shortened(query: str) -> str | None:
    ends = [match.end() for match in _SENTENCE_END.finditer(query[:320])]
    fitting = [end for end in ends if 25 <= end <= 200]
    if fitting:
        return query[: fitting[-1]].strip()
    return query if len(query) <= 200 else None


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).lower()))


@dataclass
class Instance:
    """A row, and the references that led to each of its gold files."""

    row: dict[str, Any]
    led: dict[str, list[str]]


def query_set(
    files: Mapping[str, str], rules: Rules, commit: str, *, short: bool
) -> tuple[list[Instance], Counter[str]]:
    """The rows in their order, without the six null members added after publication, and what became of sections."""
    symbols = Symbols()
    for path in sorted(files):
        if path.startswith(f"{rules.package}/") and path.endswith(".py") and not is_test(path):
            symbols.add(path, files[path])
    ends: Counter[str] = Counter()
    seen: set[str] = set()
    kept = []
    for section in all_sections(files, rules):
        led: dict[str, list[str]] = defaultdict(list)
        for target in references(section):
            file = symbols.resolve(target, section.context)
            if file is not None:
                led[file].append(target)
        text = prose(section)
        query = None if len(text) < 120 else shortened(text) if short else text
        if not led:
            ends["no gold"] += 1
        elif query is None:
            ends["too short"] += 1
        elif query in seen:
            ends["asked before"] += 1
        else:
            ends["kept"] += 1
            seen.add(query)
            kept.append(Instance(row_of(section, query, sorted(led), symbols, rules, commit), dict(led)))
    return sorted(kept, key=lambda one: str(one.row["instance_id"])), ends


def all_sections(files: Mapping[str, str], rules: Rules) -> Iterator[Section]:
    for path in sorted(files):
        if path.startswith(f"{rules.docs}/") and path.endswith(rules.suffix) and not re.fullmatch(rules.exclude, path):
            yield from sections(path, files[path])


def row_of(
    section: Section, query: str, gold: list[str], symbols: Symbols, rules: Rules, commit: str
) -> dict[str, Any]:
    asked = {word for word in words(query) if len(word) > 3}
    names = [name for file in gold for name in [file.removesuffix(".py"), *symbols.names[file]]]
    known = {word for name in names for word in words(name)}
    overlap = len(asked & known) / len(asked) if asked else 0.0
    return {
        "base_commit": commit,
        "category": None,
        "corpus": rules.corpus,
        "datasets": ["project_docs"],
        "doc_path": section.path,
        "gold_files": gold,
        "gold_functions": [],
        "instance_id": f"{rules.corpus}:{section.path}#{section.line}",
        "leaks_gold_basename": any(PurePosixPath(file).name in query for file in gold),
        "leaks_gold_path": any(file in query for file in gold),
        "lexical_overlap": round(overlap, 4),
        "n_gold": len(gold),
        "overlap_bucket": "obvious" if overlap >= 0.25 else "mixed" if overlap >= 0.1 else "non-obvious",
        "query": query,
        "repo": rules.repo,
    }


def serialised(instances: list[Instance]) -> bytes:
    return "".join(f"{json.dumps(one.row, sort_keys=True)}\n" for one in instances).encode()
