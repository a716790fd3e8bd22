# ruff: noqa: RUF001
"""The syntax tree of a formula, and the names of signs in both notations."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

DEEPEST = 40
"""Deepest nesting of brackets; Typst's own limit is little higher."""

GREEK = {
    unicodedata.name(letter).split()[-1].lower().replace("lamda", "lambda"): letter
    for letter in "αβγδεζηθικλμνξοπρστυφχψω"
}
_TABLE = r"""
≤ <= lt.eq : le leq leqslant          ≥ >= gt.eq : ge geq geqslant
≠ != eq.not : ne neq                  ≪ << lt.double : ll
≫ >> gt.double : gg                   → -> arrow arrow.r : to rightarrow
← <- arrow.l : leftarrow gets         ↔ <-> arrow.l.r : leftrightarrow
⇒ => arrow.r.double : Rightarrow      ⇐ arrow.l.double : Leftarrow
⇔ <=> arrow.l.r.double : Leftrightarrow
⟶ --> arrow.r.long : longrightarrow   ⟹ ==> arrow.r.double.long : implies Longrightarrow
⟺ <==> arrow.l.r.double.long : iff Longleftrightarrow
↦ |-> arrow.r.bar : mapsto            ↑ arrow.t : uparrow
↓ arrow.b : downarrow                 ∞ infinity oo : infty
⋅ dot dot.op dot.c : cdot             × times : times
÷ div : div                           ± plus.minus : pm
∓ minus.plus : mp                     ∑ sum : sum
∏ product prod : prod                 ∫ integral : int
∈ in : in                             ∉ in.not : notin
∋ in.rev : ni                         ⊂ subset : subset
⊆ subset.eq : subseteq                ⊃ supset : supset
⊇ supset.eq : supseteq                ∪ union : cup
∩ sect inter : cap                    ∖ without : setminus
∅ emptyset nothing : emptyset         ∀ forall : forall
∃ exists : exists                     ¬ not : neg lnot
∧ and : land wedge                    ∨ or : lor vee
≈ approx : approx                     ≡ equiv : equiv
≅ tilde.equiv : cong                  ∼ tilde tilde.op : sim
∝ prop : propto                       ⊤ top : top intercal
⊥ bot perp : bot perp                 ∂ partial : partial
∇ nabla gradient : nabla              ∘ compose compose.o : circ
⊙ dot.o : odot                        ⊗ times.o : otimes
⊕ plus.o : oplus                      ∗ ast : ast
⋆ star star.op : star                 … ... dots dots.h : ldots dots
⋯ dots.c : cdots                      ⋮ dots.v : vdots
⋱ dots.down : ddots                   ‖ || : Vert | lVert rVert
| bar.v : vert lvert rvert            ∣ divides : mid
⟨ chevron.l angle.l : langle          ⟩ chevron.r angle.r : rangle
⌊ floor.l : lfloor                    ⌋ floor.r : rfloor
⌈ ceil.l : lceil                      ⌉ ceil.r : rceil
ℓ ell : ell                           ′ prime : prime
ϵ epsilon.alt : epsilon               ε epsilon : varepsilon
ϕ phi.alt : phi                       φ phi : varphi
ϑ theta.alt : vartheta                ϱ rho.alt : varrho
/ slash : slash                       : colon : colon
ℜ : Re                                ℑ : Im
{ brace.l : { lbrace                  } brace.r : } rbrace
"""
"""Signs with their names in Typst and, after the colon, in LaTeX."""
NAMES: dict[str, str] = {}
"""Signs by their names in Typst."""
MACROS: dict[str, str] = {}
"""Signs by their macros in LaTeX."""
for _name, _letter in GREEK.items():
    for _key, _sign in ((_name, _letter), (_name.capitalize(), _letter.upper())):
        NAMES[_key] = MACROS[_key] = _sign
for _row in re.split(r"\n| {3,}", _TABLE):
    if _row:
        _typst, _, _latex = _row.partition(" : ")
        _sign, *_names = _typst.split()
        NAMES |= dict.fromkeys(_names, _sign)
        MACROS |= dict.fromkeys(_latex.split(), _sign)
_UPRIGHT = """
sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan exp log ln lg max min sup inf lim
liminf limsup det dim ker gcd arg deg Pr hom mod tr
"""
OPERATORS = frozenset(_UPRIGHT.split())
"""Names of functions that both notations print upright."""
SPACES = {"thin": ",", "med": ":", "thick": ";", "quad": "quad", "wide": "qquad"}
"""White space: names in Typst, and macros in LaTeX."""
MACROS |= {macro: name for name, macro in SPACES.items()}
MACROS |= {"%": "%", "#": r"\#", "$": r"\$", "&": r"\&", "_": r"\_", "!": "", " ": ""}
MACROS |= dict.fromkeys(["displaystyle", "textstyle", "limits", "nolimits"], "")
MACROS |= {f"{big}{side}": "" for big in ("big", "Big", "bigg", "Bigg") for side in ("", *"lrm")}
ACCENTS = {
    "hat": "\u0302", "tilde": "\u0303", "macron": "\u0304", "overline": "\u0304", "arrow": "\u20d7",
    "dot": "\u0307", "dot.double": "\u0308", "caron": "\u030c", "breve": "\u0306",
    "acute": "\u0301", "grave": "\u0300",
}  # fmt: skip
"""Accents, with their combining characters."""


class MathError(ValueError):
    """A formula that cannot be read, or has two `readings`, which are whole formulas."""

    def __init__(self, message: str, readings: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.readings = tuple(readings)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A letter, number, sign, word, function name or white space."""

    text: str
    kind: Literal["letter", "number", "sign", "word", "name", "space"]


@dataclass(frozen=True, slots=True)
class Row:
    """Nodes side by side."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Scripted:
    """A base with an index, an exponent or primes."""

    base: Node
    low: Node | None = None
    high: Node | None = None
    primes: int = 0


@dataclass(frozen=True, slots=True)
class Fraction:
    """A fraction."""

    top: Node
    bottom: Node


@dataclass(frozen=True, slots=True)
class Fenced:
    """A row between two brackets; with `scaled`, the brackets need not match."""

    left: str
    inside: Row
    right: str
    scaled: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A Typst function with its arguments, in rows and columns; `delim` is a matrix's bracket."""

    name: str
    rows: tuple[tuple[Node, ...], ...]
    delim: str = ""

    @property
    def arguments(self) -> tuple[Node, ...]:
        """The arguments of all rows."""
        return tuple(argument for row in self.rows for argument in row)


Node = Leaf | Row | Scripted | Fraction | Fenced | Call


def unwrap(node: Node) -> Node:
    """The only node of a row, if it has only one, and otherwise the row itself."""
    while isinstance(node, Row) and len(parts := visible_parts(node)) == 1:
        node = parts[0]
    return node


def visible_parts(node: Node) -> tuple[Node, ...]:
    """The nodes of a row that are not white space."""
    parts = node.parts if isinstance(node, Row) else (node,)
    return tuple(p for p in parts if not (isinstance(p, Leaf) and p.kind == "space"))


def bracket_end(math: str, at: int) -> int:
    """The index after the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(math)):
        depth += (math[place] == "(") - (math[place] == ")")
        if depth == 0:
            return place + 1
    return len(math)


def ambiguity(
    math: str, start: int, end: int, first: str, second: str, *, end_2: int | None = None
) -> MathError:
    """An error for `math[start:end]`, which can mean `first` or `second`, with both whole formulas.

    The second reading may replace more of the formula, up to `end_2`.
    """
    ends = end, end if end_2 is None else end_2
    readings = []
    for meant, stop in zip((first, second), ends, strict=True):
        before, after = math[:start], math[stop:]
        meant = meant.lstrip() if before.endswith(" ") else meant
        readings.append(
            (before + (meant.rstrip() if after.startswith(" ") else meant) + after).strip()
        )
    return MathError(f"{math[start : ends[1]]} can be read in two ways", readings)


def is_doubled(run: str) -> bool:
    """Whether Typst draws letters as one with a double stroke, such as RR."""
    return len(run) == 2 and run[0] == run[1] and run.isascii() and run.isupper()
