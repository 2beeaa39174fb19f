"""Where modules of Python define what documents name."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.builders.docs.markup.section import Reference
from pytest_retrieval_bench.builders.docs.symbols.python_module import read_python_module
from pytest_retrieval_bench.builders.docs.symbols.table import SymbolTable, is_source

SHOP = {
    "shop/__init__.py": "from .cart import Cart as Cart\nfrom shop.pricing import *\nfrom . import stock\n",
    "shop/cart.py": """
import enum
from shop.base import Base
from shop import base

LIMIT = 3
A, (B, C) = 1, (2, 3)

class Cart(Base):
    items: list
    kind = "cart"

    def __init__(self, owner):
        self.owner = owner

    def total(self): ...

    class Item:
        def price(self): ...

class Order(base.Base, enum.Enum):
    NEW = 1

if LIMIT:
    def conditional(): ...
else:
    async def otherwise(): ...
try:
    import fast as optional
except ImportError:
    optional = None

    def fallback(): ...
with open("x"):
    for x in []:
        class Deep: ...
match LIMIT:
    case 3:
        matched = 1
def outer():
    def inner(): ...
""",
    "shop/base.py": "class Root:\n    def save(self): ...\nclass Base(Root[int]):\n    def load(self): ...\n",
    "shop/pricing.py": "def tax(): ...\ndef _hidden(): ...\n",
    "shop/stock/__init__.py": "from shop.stock.shelf import Shelf\n__all__ = ['Shelf']\n",
    "shop/stock/shelf.py": "class Shelf:\n    def reserve(self): ...\n",
    "shop/stock/levels.py": "from shop.stock.shelf import Shelf\nDEFAULT = Shelf()\n",
    "shop/admin/cart.py": "class Cart: ...\nclass Report: ...\n",
    "shop/admin/__init__.py": "",
    "shop/loop_a.py": "from shop.loop_b import *\n",
    "shop/loop_b.py": "from shop.loop_a import *\nclass Turn(Turn): ...\n",
    "shop/broken.py": "def broken(:\n",
    "shop/empty.py": "",
    "shop/deep.py": "(" * 5_000 + ")" * 5_000,
    "src/other/__init__.py": "",
    "src/other/tool.py": "def run(): ...\n",
    "scripts/setup.py": "def install(): ...\n",
}


@pytest.fixture(scope="module")
def table() -> SymbolTable:
    return SymbolTable([(path, text.encode()) for path, text in SHOP.items()], list(SHOP))


def resolve(table: SymbolTable, target: str, *scopes: str, is_module: bool = False) -> tuple[str, str | None]:
    found = table.resolve(Reference(target, "python", scopes or ("",), is_module=is_module))
    return found.outcome, found.path


@pytest.mark.parametrize(
    "name",
    [
        *("Cart", "Cart.total", "Cart.items", "Cart.kind", "Cart.owner", "Cart.Item", "Cart.Item.price", "Order.NEW"),
        *("LIMIT", "A", "C", "conditional", "otherwise", "fallback", "optional", "Deep", "matched", "outer"),
    ],
)
def test_a_name_is_found_where_it_is_defined_in_whatever_branch(table: SymbolTable, name: str) -> None:
    assert resolve(table, f"shop.cart.{name}") == ("definition", "shop/cart.py")
    assert resolve(table, name, "", "shop.cart") == ("definition", "shop/cart.py")


@pytest.mark.parametrize(
    ("target", "outcome", "path"),
    [
        ("shop.Cart", "import", "shop/cart.py"),
        ("shop.Cart.total", "import", "shop/cart.py"),
        ("shop.tax", "import", "shop/pricing.py"),
        ("shop.stock.Shelf.reserve", "import", "shop/stock/shelf.py"),
        ("shop.stock.shelf.Shelf", "definition", "shop/stock/shelf.py"),
        ("shop.cart.base.Root", "import", "shop/base.py"),
        ("shop.cart.Cart.load", "inherited", "shop/base.py"),
        ("shop.Cart.save", "inherited", "shop/base.py"),
        ("shop.cart.Order.save", "inherited", "shop/base.py"),
        ("shop.stock.levels.DEFAULT", "definition", "shop/stock/levels.py"),
        ("other.tool.run", "definition", "src/other/tool.py"),
        ("scripts.setup.install", "definition", "scripts/setup.py"),
    ],
)
def test_names_are_followed_through_imports_and_bases(table: SymbolTable, target: str, outcome: str, path: str) -> None:
    assert resolve(table, target) == (outcome, path)


@pytest.mark.parametrize(
    ("target", "outcome"),
    [
        ("shop.cart.Cart.nothing", "undefined"),
        ("shop.cart.outer.inner", "undefined"),
        ("shop.cart.nothing", "undefined"),
        ("shop.broken.broken", "undefined"),
        ("shop.loop_a.Missing", "undefined"),
        ("shop.loop_b.Turn.turn", "undefined"),
        ("shop", "package"),
        ("shop.stock", "package"),
        ("shop.empty", "empty module"),
        ("shop.broken", "empty module"),
        ("shop.deep", "empty module"),
        ("numpy.ndarray", "external"),
        ("ValueError", "external"),
        ("total", "undefined"),
    ],
)
def test_what_no_file_defines_is_no_gold_and_says_why(table: SymbolTable, target: str, outcome: str) -> None:
    is_module = outcome in ("package", "empty module")
    assert resolve(table, target, is_module=is_module) == (outcome, None)


def test_a_module_is_the_file_that_defines_something(table: SymbolTable) -> None:
    assert resolve(table, "shop.cart", is_module=True) == ("module", "shop/cart.py")
    assert resolve(table, "cart", "", "shop", is_module=True) == ("module", "shop/cart.py")
    assert resolve(table, "json", is_module=True) == ("external", None)


def test_a_name_alone_stands_for_its_only_definition(table: SymbolTable) -> None:
    assert resolve(table, "Shelf.reserve") == ("only name", "shop/stock/shelf.py")
    assert resolve(table, "Report") == ("only name", "shop/admin/cart.py")
    assert resolve(table, "Cart") == ("ambiguous", None)
    assert resolve(table, "Cart", "", "shop.admin") == ("only name", "shop/admin/cart.py")
    assert resolve(table, "shop.admin.Report") == ("only name", "shop/admin/cart.py")
    assert resolve(table, "shop._hidden") == ("only name", "shop/pricing.py")
    assert resolve(table, "shop.stock.Report") == ("undefined", None)
    assert table.resolve(Reference("Report", "python", by_name=False)).outcome == "undefined"


def test_dotted_paths_into_the_project_are_known_from_other_dotted_words(table: SymbolTable) -> None:
    known = {name: table.names_code(name) for name in ("shop.cart.Cart", "shop.stock", "shop.Cart", "shop.gone")}
    assert known == {"shop.cart.Cart": True, "shop.stock": True, "shop.Cart": True, "shop.gone": False}
    assert not any(map(table.names_code, ("e.g", "setup.py", "other.readthedocs.io", "numpy.array")))


def test_imports_and_bases_that_lead_everywhere_or_on_and_on_come_to_an_end() -> None:
    stars = "".join(f"from web.m{number} import *\n" for number in range(40))
    web = {f"web/m{number}.py": stars for number in range(40)}
    chain = {"chain.py": "class C0: ...\n" + "".join(f"class C{one + 1}(C{one}): ...\n" for one in range(5_000))}
    table = SymbolTable([(path, text.encode()) for path, text in {**web, **chain}.items()], [*web, *chain])
    assert resolve(table, "web.m0.nowhere") == ("undefined", None)
    assert resolve(table, "chain.C5000.nowhere") == ("undefined", None)


def test_relative_imports_lead_to_the_package_around() -> None:
    source = b"from . import a\nfrom ..b import c\nfrom ...far import d\n"
    imports = read_python_module("x/y/z.py", "x.y.z", source).imports
    assert {name: imported.module for name, imported in imports.items()} == {"a": "x.y", "c": "x.b", "d": "far"}
    imports = read_python_module("x/y/__init__.py", "x.y", source).imports
    assert {name: imported.module for name, imported in imports.items()} == {"a": "x.y", "c": "x.b", "d": "far"}


@pytest.mark.parametrize("source", [b"\xff\xfe", b"\x00", b"print 'old'", b"# coding: no-such\n", b"x = '\\d'\n"])
def test_a_file_that_is_no_python_of_today_defines_nothing_and_stops_nothing(source: bytes) -> None:
    assert read_python_module("a.py", "a", source).definitions == set()


@pytest.mark.parametrize(
    ("path", "is_gold"),
    [
        ("shop/cart.py", True),
        ("django/test/client.py", True),
        ("numpy/testing/utils.py", True),
        ("shop/tests/cart.py", False),
        ("shop/test_cart.py", False),
        ("shop/cart_test.py", False),
        ("conftest.py", False),
        ("src/cart.c", True),
        ("src/cart.spec.ts", False),
        ("src/__tests__/cart.js", False),
        ("README.md", False),
        ("shop/cart.pyi", False),
    ],
)
def test_tests_are_no_gold_and_what_users_test_with_is(path: str, is_gold: bool) -> None:
    assert is_source(path) is is_gold
