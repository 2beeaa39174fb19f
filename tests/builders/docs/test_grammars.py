"""Definitions in C, C++, JavaScript and TypeScript, and where a name of theirs is found."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.builders.docs.markup.section import Reference
from pytest_retrieval_bench.builders.docs.symbols.grammars import defined_names, language_of
from pytest_retrieval_bench.builders.docs.symbols.name_table import NameTable

C = b"""
#define LIMIT 3
#define MAX(a, b) a
#ifdef X
typedef struct cart { int count, *items; int (*callback)(int); } cart_t;
#endif
struct forward;
extern int elsewhere;
int total = 3, other;
int prototype(int);
static const char *name(int x) { int local; struct inside { int y; }; return 0; }
enum colour { RED, BLUE };
"""
CPP = b"""
namespace shop::v1 {
template<class T> class Cart : Base<T> {
 public:
  void add();
  int count() { return 1; }
  T items;
  friend class Friend;
  class Item { int price; };
};
template<class T> void Cart<T>::add() {}
int &reference(int x) { return x; }
using Items = int;
template<class T> concept Priced = true;
bool operator==(Cart a, Cart b) { return true; }
}
class Forward;
extern "C" { int c_function(void) { return 0; } }
namespace { int hidden; }
"""
JAVASCRIPT = b"""
export default class Cart extends Base { add() { const local = 1; } static limit = 2; #secret = 1 }
const total = () => { const local = 1; }, other = 2;
Cart.prototype.remove = function() { function local() {} };
exports.tax = 1; module.exports.rate = 2; module.exports = { helper() {} };
export async function load() { function local() {} }
export function* stream() { }
if (x) { function conditional() {} }
const { unpacked } = require("x");
const api = { fetch() {} };
"""
TYPESCRIPT = b"""
export interface Item { price: number; buy(x: string): void }
export type Items = Item[] | null;
namespace Shop.Inner { export const limit = 1; export function run(): void {} }
declare module "x" { }
export enum Colour { Red = 1 }
abstract class Stock { private level: number; abstract count(): void; }
export declare function declared(a: number): void;
"""


@pytest.mark.parametrize(
    ("path", "source", "names"),
    [
        ("a.c", C, "LIMIT MAX cart cart.count cart.items cart_t total other name colour colour.RED colour.BLUE"),
        (
            "a.cpp",
            CPP,
            "shop.v1 shop.v1.Cart shop.v1.Cart.add shop.v1.Cart.count shop.v1.Cart.items shop.v1.Cart.Item"
            " shop.v1.Cart.Item.price shop.v1.reference shop.v1.Items shop.v1.Priced c_function hidden",
        ),
        (
            "a.js",
            JAVASCRIPT,
            "Cart Cart.add Cart.limit total other Cart.remove tax rate module.exports module.exports.helper load stream"
            " conditional api api.fetch",
        ),
        (
            "a.ts",
            TYPESCRIPT,
            "Item Item.price Item.buy Items Shop.Inner Shop.Inner.limit Shop.Inner.run Colour Colour.Red Stock"
            " Stock.level Stock.count",
        ),
        ("a.tsx", b"export function View() { return <div/>; }", "View"),
        ("a.py", b"def f(): ...", ""),
    ],
)
def test_a_file_defines_what_others_can_use_of_it(path: str, source: bytes, names: str) -> None:
    assert defined_names(path, source) == frozenset(names.split())


@pytest.mark.parametrize("path", ["a.c", "a.hpp", "a.mjs", "a.ts", "a.tsx"])
@pytest.mark.parametrize(
    "source", [b"", b"\xff\xfe\x00", b"{" * 20_000, b"class A { " * 3_000, b"(" * 5_000 + b"int x;"]
)
def test_a_broken_or_deep_file_stops_nothing(path: str, source: bytes) -> None:
    assert isinstance(defined_names(path, source), frozenset)


def test_the_end_of_its_name_says_the_language_of_a_file() -> None:
    assert [language_of(path) for path in ("a.c", "b/a.h", "a.cxx", "a.jsx", "a.cts", "a.rs", "c", "a.py")] == [
        *("c", "c", "c", "javascript", "javascript", None, None, None)
    ]


TABLE = NameTable(
    {
        "src/cart.cpp": frozenset(["shop.Cart", "shop.Cart.add", "total"]),
        "src/order.cpp": frozenset(["shop.Order", "shop.Order.add", "tool.total"]),
        "src/a.c": frozenset(["init"]),
        "src/b.c": frozenset(["init"]),
    }
)


@pytest.mark.parametrize(
    ("target", "scopes", "outcome", "path"),
    [
        ("shop.Cart.add", ("",), "definition", "src/cart.cpp"),
        ("Cart.add", ("", "shop"), "definition", "src/cart.cpp"),
        ("Cart.add", ("",), "only name", "src/cart.cpp"),
        ("add", ("", "shop", "shop.Order"), "definition", "src/order.cpp"),
        ("add", ("",), "ambiguous", None),
        ("total", ("",), "definition", "src/cart.cpp"),
        ("init", ("",), "ambiguous", None),
        ("std.vector", ("",), "undefined", None),
        ("far.total", ("",), "undefined", None),
    ],
)
def test_a_name_is_found_where_one_file_defines_it(
    target: str, scopes: tuple[str, ...], outcome: str, path: str | None
) -> None:
    found = TABLE.resolve(Reference(target, "c", scopes))
    assert (found.outcome, found.path) == (outcome, path)


def test_modules_of_javascript_are_names_of_its_documentation_alone() -> None:
    found = NameTable({"lib/cart.js": frozenset(["Cart.add"])}).resolve(Reference("shop.Cart.add", "javascript"))
    assert (found.outcome, found.path) == ("only name", "lib/cart.js")
