# ruff: noqa: RUF001
"""Parse Typst's notation into a tree, and split runs of capital letters into products."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clockhead.scenes.mathematics.tree import (
    ACCENTS,
    DEEPEST,
    NAMES,
    OPERATORS,
    SPACES,
    Call,
    Fenced,
    Fraction,
    Leaf,
    Node,
    Row,
    Scripted,
    ambiguity,
    bracket_end,
    is_doubled,
    visible_parts,
)

_TYPST = re.compile(
    r"""(?P<space>\s+) | "(?P<word>(?:\\.|[^"\\])*)"
    | (?P<number>\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:\.\d+)?)
    | (?P<name>[^\W\d_][^\W_]+(?:\.[A-Za-z]+)*) | (?P<letter>[^\W\d_]) | \\(?P<escape>\S)
    | (?P<fact>\{[^{}]*\}) | (?P<sign><==> | <-> | <=> | ==> | --> | \|-> | \.\.\. | <= | >= | !=
    | -> | => | <- | << | >> | := | \|\| | .)""",
    re.VERBOSE | re.DOTALL,
)
_OPEN, _CLOSED = "([{⟨⌊⌈", ")]}⟩⌋⌉"
_SETS = "NZQRCPEFH"
"""Letters whose doubling, such as RR, means a set; other doublings, such as XX, may be products."""
_HABITS = {",": "thin", ";": "thick", ":": "med", "!": "", "|": "||"}
"""LaTeX's meaning of signs after a backslash, which Typst takes for the signs themselves."""


def split_products(math: str) -> str:
    """A formula in Typst's notation with its runs of capital letters split into products.

    Raises:
        MathError: if the formula has two possible readings.
    """
    tokens = [match for match in _TYPST.finditer(math) if match.lastgroup != "space"]
    spaced, end, depth = "", 0, 0
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        attached = before[0] if before is not None and before[0] in ("_", "^", "/") else ""
        called = after is not None and after[0] == "(" and after.start() == token.end()
        depth += (token["sign"] in ("(", "[")) - (token["sign"] in (")", "]"))
        text, start = token[0], token.start()
        if _is_run(token):
            text = _product(math, token, attached, called)
        elif is_doubled(token["name"] or "") and text[0] not in _SETS:
            raise ambiguity(math, start, token.end(), f"bb({text[0]})", " ".join(text))
        elif text == "<-" and after is not None and after.start() == token.end():
            raise ambiguity(math, start, token.end(), " < -", " <- ")
        elif attached in ("_", "^") and called and (token["letter"] or token["name"] in NAMES):
            if token["name"] not in ACCENTS:
                close = bracket_end(math, token.end())
                inside = f"({text}{math[token.end() : close]})"
                raise ambiguity(math, start, token.end(), f"{text} ", inside, end_2=close)
        elif text == "-" and attached in ("_", "^") and after is not None and after[0].isalnum():
            raise ambiguity(math, start, after.end(), f"(-{after[0]})", f"(-) {after[0]}")
        elif token["escape"] in _HABITS and (depth == 0 or text == r"\|"):
            raise ambiguity(math, start, token.end(), f" {_HABITS[token['escape']]} ", text[1:])
        spaced += math[end:start] + text
        end = token.end()
    return spaced + math[end:]


def _is_run(token: re.Match[str]) -> bool:
    """Whether a token is a run of capital letters that Typst has no name for."""
    run = token["name"] or ""
    return run.isascii() and run.isalpha() and run.isupper() and not is_doubled(run)


def _product(math: str, token: re.Match[str], attached: str, called: bool) -> str:
    """A run of capital letters, separated by spaces."""
    run, start, end = token[0], token.start(), token.end()
    apart = " ".join(run)
    if called:
        raise ambiguity(math, start, end, f'"{run}"', f"{apart} ")
    if attached and not (attached == "^" and run[0] == "T"):
        raise ambiguity(math, start, end, f"({apart})", apart)
    if over := re.match(r"\s*(?:[_^]\s*(?:\([^()]*\)|\w+)\s*)*/", math[end:]):
        scripts = over[0][:-1].rstrip()
        stop = end + len(scripts)
        raise ambiguity(math, start, stop, f"({apart}{scripts})", f"{apart}{scripts}")
    return apart


def read_typst(math: str) -> Row:
    """Parse a formula in Typst's notation into a tree; accepts any text."""
    return _Typst(math).row()


class _Typst:
    """A recursive-descent parser of Typst formulas."""

    def __init__(self, math: str) -> None:
        self._tokens = list(_TYPST.finditer(math))
        self._at = self._depth = 0

    def row(self, *closing: str) -> Row:
        """Parse a row up to a closing sign, which is not consumed."""
        parts: list[Node] = []
        while (token := self._peek()) is not None and token["sign"] not in closing:
            if token.lastgroup == "space":
                self._at += 1
                parts += [Leaf(" ", "space")] * bool(parts)
            else:
                parts.append(self._term(closing))
        while parts and parts[-1] == Leaf(" ", "space"):
            parts.pop()
        return Row(tuple(parts))

    def _peek(self, *, skip: bool = False) -> re.Match[str] | None:
        at = self._at
        while skip and at < len(self._tokens) and self._tokens[at].lastgroup == "space":
            at += 1
        return self._tokens[at] if at < len(self._tokens) else None

    def _take_if(self, *signs: str, skip: bool = True) -> bool:
        """Consume the next token if it is one of these signs, and say whether it was."""
        token = self._peek(skip=skip)
        if token is None or token["sign"] not in signs:
            return False
        self._at = self._tokens.index(token, self._at) + 1
        return True

    def _term(self, closing: Sequence[str]) -> Node:
        term = self._script_term(closing)
        while "/" not in closing and self._take_if("/"):
            term = Fraction(_ungroup(term), _ungroup(self._script_term(closing, skip=True)))
        return term

    def _script_term(self, closing: Sequence[str], *, skip: bool = False) -> Node:
        base = self._atom(closing, skip=skip)
        low: Node | None = None
        high: Node | None = None
        primes = 0
        while True:
            if self._take_if("'", skip=False):
                primes += 1
            elif self._take_if("_"):
                low = _ungroup(self._atom(closing, skip=True, script=True))
            elif self._take_if("^"):
                high = _ungroup(self._atom(closing, skip=True, script=True))
            else:
                break
        return base if low is high is None and not primes else Scripted(base, low, high, primes)

    def _atom(self, closing: Sequence[str], *, skip: bool = False, script: bool = False) -> Node:
        token = self._peek(skip=skip)
        if token is None or token["sign"] in closing:
            return Row(())
        self._at = self._tokens.index(token, self._at) + 1
        kind, text = token.lastgroup, token[token.lastgroup or 0]
        if kind == "word":
            return Leaf(re.sub(r"\\(.)", r"\1", text), "word")
        if kind in ("name", "letter"):
            return self._name(text, script)
        if kind == "escape":
            return Leaf(text, "sign")
        if kind == "fact":  # drawn with its braces
            return Fenced("{", read_typst(text[1:-1]), "}")
        if kind == "number":
            return Leaf(text, "number")
        sign = NAMES.get(text, text)
        if sign in _OPEN or sign in "|‖":
            return self._brackets(sign, closing)
        return Leaf({"-": "−", "'": "′"}.get(sign, sign), "sign")

    def _name(self, name: str, script: bool) -> Node:
        following = self._peek()
        called = following is not None and following["sign"] == "("
        if len(name) == 1:
            if called and script:
                return Row((Leaf(name, "letter"), self._atom(())))
            return Leaf(name, "letter")
        if called and (name in ACCENTS or not (name in NAMES or name in OPERATORS)):
            self._at += 1
            return self._call(name)
        if name in NAMES:
            sign = NAMES[name]
            return Leaf(sign, "letter" if sign.isalpha() else "sign")
        if name in SPACES:
            return Leaf("  " if name in ("quad", "wide") else " ", "space")
        if is_doubled(name):
            return Call("bb", ((Leaf(name[0], "letter"),),))
        return Leaf(name, "name")

    def _call(self, name: str) -> Node:
        rows: list[tuple[Node, ...]] = []
        cells: list[Node] = []
        self._depth += 1
        while self._depth < DEEPEST:
            cell = self.row(",", ";", ")")
            if visible_parts(cell) and not _is_option(cell):
                cells.append(cell)
            token = self._peek()
            self._at += 1
            if token is None or token["sign"] != ",":
                rows += [tuple(cells)] * bool(cells)
                cells = []
            if token is None or token["sign"] == ")":
                break
        self._depth -= 1
        if name == "frac" and len(rows) == 1 and len(rows[0]) == 2:
            return Fraction(*rows[0])
        return Call(name, tuple(rows))

    def _brackets(self, left: str, closing: Sequence[str]) -> Node:
        """Parse up to the closing bracket; without one, the bracket is a sign like others."""
        self._depth += 1
        blank = (first := self._peek()) is not None and first.lastgroup == "space"
        ends = tuple(_CLOSED) if left in _OPEN else (left, "||") if left == "‖" else (left,)
        others = () if left in _OPEN else closing  # brackets keep commas from a call around them
        inside = self.row(*ends, *others) if self._depth < DEEPEST else Row(())
        self._depth -= 1
        token = self._peek()
        if token is None or token["sign"] not in ends or not inside.parts:
            blanks = [Leaf(" ", "space")] * blank
            return Row((Leaf(left, "sign"), *blanks, *inside.parts))
        self._at += 1
        return Fenced(left, inside, NAMES.get(token[0], token[0]))


def _ungroup(node: Node) -> Node:
    """The contents of round brackets, which only group, or the node itself."""
    return node.inside if isinstance(node, Fenced) and node.left == "(" else node


def _is_option(cell: Row) -> bool:
    """Whether an argument is an option, such as `delim: "["`."""
    first = visible_parts(cell)
    return len(first) > 1 and isinstance(first[0], Leaf) and first[1] == Leaf(":", "sign")
