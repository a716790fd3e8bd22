# ruff: noqa: RUF001
"""Parse LaTeX into a tree, and write the tree in Typst's notation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from rapidfuzz import fuzz, process

from clockhead.scenes.mathematics.tree import (
    DEEPEST,
    MACROS,
    NAMES,
    OPERATORS,
    SPACES,
    Call,
    Fenced,
    Fraction,
    Leaf,
    MathError,
    Node,
    Row,
    Scripted,
    ambiguity,
    bracket_end,
    is_doubled,
    visible_parts,
)

_CALLS = {name: name for name in ("frac", "binom", "hat", "tilde", "overline", "underline", "dot")}
_CALLS |= {name: name for name in ("breve", "acute", "grave", "cancel", "underbrace", "overbrace")}
_CALLS |= {"dfrac": "frac", "tfrac": "frac", "widehat": "hat", "widetilde": "tilde"}
_CALLS |= {"bar": "macron", "vec": "arrow", "overrightarrow": "arrow", "ddot": "dot.double"}
_CALLS |= {"check": "caron", "mathbf": "bold", "boldsymbol": "bold", "bm": "bold", "mathcal": "cal"}
_CALLS |= {"mathscr": "scr", "mathbb": "bb", "mathfrak": "frak", "mathit": "italic"}
"""Macros with one or two arguments, and Typst's names for them."""
_WORD_MACROS = "text textrm textit textbf textsf mbox mathrm mathsf operatorname operatorname*"
_WORDS = _WORD_MACROS.split()
"""Macros whose argument is words."""
_MATRICES = {"pmatrix": "(", "bmatrix": "[", "Bmatrix": "{", "vmatrix": "|", "Vmatrix": "||"}
_NO_SPACE_BEFORE = ",;!′%)]}⟩⌋⌉"
_PAIRS = ("()", "[]", "{}", "||", "‖‖", "⟨⟩", "⌊⌋", "⌈⌉")
_OPEN = "([{⟨⌊⌈"
_ADJACENT = Leaf("", "space")
"""Marks brackets that follow a function without a space."""
_LATEX = re.compile(
    r"""\\(?P<macro>operatorname\*|[A-Za-z]+|.) | "(?P<word>[^"]*)" | (?P<number>\d+(?:\.\d+)?)
    | (?P<letters>[^\W\d_]+) | (?P<sign><=>|<=|>=|!=|->|=>|:=|\|\||\.\.\.|.)""",
    re.VERBOSE | re.DOTALL,
)
_INDICES = "ijklmn"
_BARS = {"|": "|", r"\vert": "|", r"\lvert": "|", r"\rvert": "|"}
_BARS |= {"||": "‖", r"\|": "‖", r"\Vert": "‖", r"\lVert": "‖", r"\rVert": "‖"}
_ENDS = {"(": (")", "]"), "[": (")", "]"), r"\{": (r"\}",), r"\langle": (r"\rangle",)}
_ENDS |= {r"\lfloor": (r"\rfloor",), r"\lceil": (r"\rceil",)}
_ENDS |= {bar: tuple(b for b, drawn in _BARS.items() if drawn == bar) for bar in "|‖"}


def read_latex(math: str) -> Row:
    """Parse a formula into a tree.

    Raises:
        MathError: if the formula cannot be read, or has two possible readings.
    """
    return _Latex(math).parse()


class _Latex:
    """A recursive-descent parser of LaTeX formulas."""

    def __init__(self, math: str) -> None:
        self._math, self._at, self._depth = math, 0, 0

    def parse(self) -> Row:
        """Parse the whole formula."""
        row = self._row()
        if token := self._peek():
            raise MathError(f"{token[0]} closes nothing")
        return row

    def _peek(self) -> re.Match[str] | None:
        while self._at < len(self._math) and self._math[self._at].isspace():
            self._at += 1
        return _LATEX.match(self._math, self._at)

    def _take(self) -> re.Match[str]:
        token = self._peek()
        if token is None:
            raise MathError("something is missing at the end")
        self._at = token.end()
        return token

    def _row(self, *closing: str) -> Row:
        """Parse a row up to a closing token, which is not consumed."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise MathError(f"nested more than {DEEPEST} levels deep")
        parts: list[Node] = []
        while (token := self._peek()) and token[0] not in (*closing, "}", r"\right", r"\end"):
            start = token.start()
            if token[0] == "'" or token[0] in ("_", "^"):
                parts.append(self._scripts(parts.pop() if parts else Leaf("", "word")))
                continue
            things = self._nodes(closing)
            is_group = isinstance(things[0], Fenced) and things[0].left + things[0].right == "()"
            if (
                is_group
                and parts
                and visible_parts(parts[-1])
                and not self._math[start - 1].isspace()
            ):
                things.insert(0, _ADJACENT)
            parts += things
        self._depth -= 1
        return Row(tuple(parts))

    def _scripts(self, base: Node) -> Node:
        low: Node | None = None
        high: Node | None = None
        primes = 0
        while (token := self._peek()) and token[0] in ("'", "_", "^"):
            self._at = token.end()
            if token[0] == "'":
                primes += 1
            elif token[0] == "_" and low is None:
                low = self._script(token)
            elif token[0] == "^" and high is None:
                high = self._script(token)
            else:
                raise MathError(f"two of {token[0]} on one thing; put one of them in braces")
        if isinstance(base, Call) and base.name in ("underbrace", "overbrace"):
            return Call(base.name, ((base.arguments[0], low or high or Row(())),))
        return Scripted(base, low, high, primes)

    def _script(self, sign: re.Match[str]) -> Node:
        r"""Parse the script after `_` or `^`: braces, a macro, or one character."""
        token = self._peek()
        if token is None:
            raise MathError(f"nothing follows {sign[0]}")
        run, start = token[0], token.start()
        if run == "(":
            close = bracket_end(self._math, start)
            inner = self._math[start + 1 : close - 1]
            braces, both = f"{{{inner}}}", f"{{({inner})}}"
            raise ambiguity(self._math, start, close, braces, both)
        if run == "-" and (number := _LATEX.match(self._math, token.end())):
            stop = number.end()
            raise ambiguity(
                self._math, start, stop, f"{{{self._math[start:stop]}}}", f"{{-}} {number[0]}"
            )
        transposed = sign[0] == "^" and run[0] == "T" and run.isupper()
        if (token["letters"] or token["number"]) and len(run) > 1 and not transposed:
            first, rest = f"{{{run}}}", f"{run[0]} {run[1:]}"
            raise ambiguity(self._math, start, token.end(), first, rest)
        return self._argument()

    def _argument(self) -> Node:
        """Parse the argument of a macro: a group in braces, or one character."""
        token = self._take()
        if token[0] == "{":
            return self._group()
        if token["letters"] or token["number"]:
            self._at = token.start() + 1
            if token["number"] and len(token[0]) > 1 and "." in token[0]:
                raise MathError(f"put {token[0]} in braces")
            return Leaf(token[0][0], "letter" if token["letters"] else "number")
        if token[0] in ("_", "^", "'"):
            raise MathError(f"something is missing before {token[0]}")
        self._at = token.start()
        return Row(tuple(self._nodes(())))

    def _group(self) -> Node:
        row = self._row()
        if self._take()[0] != "}":
            raise MathError("a brace is opened and not closed")
        return row

    def _nodes(self, closing: Sequence[str]) -> list[Node]:
        """Parse the next token with its arguments; a run of letters gives several nodes."""
        token = self._take()
        bracket = _BARS.get(token[0], token[0])
        if bracket in _ENDS:
            return self._brackets(bracket, closing)
        if token["macro"]:
            return [self._macro(token)]
        if token["word"] is not None:
            return [Leaf(token["word"], "word")]
        if token["number"]:
            return [Leaf(token[0], "number")]
        if token["letters"]:
            self._check_run(token)
            return [Leaf(letter, "letter") for letter in token[0]]
        sign = token[0]
        if sign == "{":
            return [self._group()]
        if sign == "}":
            raise MathError("something is missing before }")
        if sign == "%":
            raise MathError(r"% starts a comment in LaTeX; write \% for the sign")
        if sign in ("!=", "~"):
            at = token.start(), token.end()
            raise ambiguity(
                self._math, *at, *((r" \ne ", "! = ") if sign == "!=" else (r" \sim ", " "))
            )
        if sign in ("&", "#", '"'):
            raise MathError(f"{sign} has no meaning here; write \\{sign} for the sign")
        return [_sign(NAMES.get(sign, sign))]

    def _brackets(self, left: str, closing: Sequence[str]) -> list[Node]:
        """Parse up to the closing bracket; without one, the bracket is a sign like others."""
        ends, left = _ENDS[left], MACROS[left[1:]] if left[0] == "\\" else left
        inside = self._row(*ends, *closing)
        token = self._peek()
        if token is None or token[0] not in ends or not inside.parts:
            return [_sign(left), *inside.parts]
        self._at = token.end()
        right = MACROS.get(token["macro"] or "", token[0])
        return [Fenced(left, inside, _BARS.get(token[0], right))]

    def _check_run(self, token: re.Match[str]) -> None:
        """Refuse a run of letters that may be a word or a Typst name instead of a product."""
        run, end = token[0], token.end()
        at = self._math, token.start(), end
        apart = " ".join(run)
        if run in NAMES or run in OPERATORS:
            raise ambiguity(*at, f"\\{_macro_of(run)} ", apart)
        if is_doubled(run):
            raise ambiguity(*at, f"\\mathbb{{{run[0]}}}", apart)
        called = run.isupper() and self._math[end : end + 1] == "("
        is_product = len(run) <= 2 or run.isupper() or (run in _INDICES and run.islower())
        if len(run) > 1 and (called or not is_product):
            if run in _CALLS or run == "sqrt":
                close = bracket_end(self._math, end)
                inner = self._math[end + 1 : close - 1]
                braces = f"\\{run}{{{'}{'.join(re.split(', *', inner))}}}"
                raise ambiguity(*at[:2], close, braces, f"{apart} ({inner})")
            word = "operatorname" if self._math[end : end + 1] == "(" else "text"
            raise ambiguity(*at, f"\\{word}{{{run}}}", apart)

    def _macro(self, token: re.Match[str]) -> Node:
        name = token["macro"]
        if name in _WORDS:
            return self._word(name)
        if name in _CALLS:
            count = 2 if _CALLS[name] in ("frac", "binom") else 1
            return Call(_CALLS[name], (tuple(self._argument() for _ in range(count)),))
        if name in ("overset", "underset"):
            over, base = self._argument(), self._argument()
            limits = Call("limits", ((base,),))
            scripts = (None, over) if name == "overset" else (over, None)
            return Scripted(limits, *scripts)
        match name:
            case "\\":
                raise MathError(r"\\ starts a new line, and a formula is on one")
            case "right" | "end":
                raise MathError(f"\\{name} closes nothing")
            case "sqrt":
                return self._root()
            case "left":
                return self._scaled_brackets()
            case "middle":
                return Call("mid", ((_sign(self._delimiter()),),))
            case "begin":
                return self._environment()
            case _ if name in OPERATORS:
                return Leaf(name, "name")
            case _ if name in SPACES.values():
                return Leaf(MACROS[name], "space")
        sign = MACROS.get(name) if name in MACROS else _pylatexenc_sign(name)
        if sign is None:
            near = process.extractOne(name, [*MACROS, *_CALLS], scorer=fuzz.ratio, score_cutoff=80)
            hint = f"; did you mean \\{near[0]}?" if near else ""
            if not near and len(name) > 2:
                hint = f"; the name of a function is \\operatorname{{{name}}}"
            raise MathError(f"\\{name} is not known here{hint}")
        return _sign(sign) if sign else Row(())

    def _root(self) -> Node:
        if (token := self._peek()) and token[0] == "[":
            self._at = token.end()
            order = self._row("]")
            self._take()
            return Call("root", ((order, self._argument()),))
        if token and token["number"] and len(token[0]) > 1:
            rest = f"{{{token[0][0]}}} {token[0][1:]}"
            raise ambiguity(self._math, token.start(), token.end(), f"{{{token[0]}}}", rest)
        return Call("sqrt", ((self._argument(),),))

    def _word(self, macro: str) -> Node:
        r"""Parse the braces of `\text{...}` as plain text."""
        opened, depth = self._take(), 1
        if opened[0] != "{":
            raise MathError(f"\\{macro} takes braces")
        start = self._at
        while depth and self._at < len(self._math):
            sign = self._math[self._at]
            self._at += 2 if sign == "\\" else 1
            depth += (sign == "{") - (sign == "}")
        if depth:
            raise MathError("a brace is opened and not closed")
        text = re.sub(r"\\[,;: ]|~", " ", self._math[start : self._at - 1])
        text = re.sub(r'\\([_&%#$])|[{}"]|\\!', r"\1", text)
        if "\\" in text:
            raise MathError(f"\\{macro} holds words alone")
        if not macro.startswith("text") and macro != "mbox":
            text = text.strip()
        if macro.startswith("operatorname"):
            return Call("op", ((Leaf(text, "word"),),))
        if len(text) == 1:
            return Call("upright", ((Leaf(text, "letter"),),))
        return Leaf(text, "word")

    def _delimiter(self) -> str:
        token = self._take()
        sign = MACROS.get(token["macro"], "") if token["macro"] else token[0]
        if len(sign) != 1:
            raise MathError(f"{token[0]} is no bracket")
        return {"<": "⟨", ">": "⟩"}.get(sign, sign)

    def _scaled_brackets(self) -> Node:
        left = self._delimiter()
        inside = self._row()
        if self._take()[0] != r"\right":
            raise MathError(r"\left has no \right")
        return Fenced(left, inside, self._delimiter(), scaled=True)

    def _environment(self) -> Node:
        name = self._environment_name()
        if name != "cases" and name not in _MATRICES:
            known = ", ".join([*_MATRICES, "cases"])
            raise MathError(f"\\begin{{{name}}} is not known here (known: {known})")
        rows: list[list[Node]] = [[]]
        while True:
            rows[-1].append(self._row("&", r"\\"))
            token = self._take()[0]
            if token == r"\\":
                rows.append([])
            elif token != "&":
                break
        if token != r"\end" or self._environment_name() != name:
            raise MathError(f"\\begin{{{name}}} has no \\end{{{name}}}")
        filled = tuple(tuple(row) for row in rows if any(map(visible_parts, row)))
        return Call("cases" if name == "cases" else "mat", filled, _MATRICES.get(name, ""))

    def _environment_name(self) -> str:
        match = re.compile(r"\s*\{(\w+\*?)\}").match(self._math, self._at)
        if match is None:
            raise MathError(r"\begin and \end take a name in braces")
        self._at = match.end()
        return match[1]


def _sign(sign: str) -> Leaf:
    return Leaf(sign, "letter" if sign.isalpha() else "sign")


def _macro_of(name: str) -> str:
    """The LaTeX macro for a Typst name, or the name itself if there is none."""
    if name in MACROS or name in OPERATORS:
        return name
    return next((macro for macro, sign in MACROS.items() if sign == NAMES[name]), name)


def is_macro(name: str) -> bool:
    """Whether a macro is supported."""
    known = name in MACROS or name in OPERATORS or name in _CALLS or name in _WORDS
    return (
        known
        or name in ("sqrt", "left", "begin", "underset", "overset")
        or bool(_pylatexenc_sign(name))
    )


def _pylatexenc_sign(macro: str) -> str | None:
    """The character that pylatexenc has for a macro, if it is a single visible one."""
    from pylatexenc.latex2text import get_default_latex_context_db

    spec = get_default_latex_context_db().get_macro_spec(macro)
    sign = getattr(spec, "simplify_repl", None)
    if not isinstance(sign, str) or len(sign) != 1 or unicodedata.combining(sign):
        return None
    return sign if sign.isprintable() and not sign.isspace() else None


def to_typst(node: Node, *, tight: bool = False) -> str:
    """A tree in Typst's notation; `tight` if brackets follow it without a space."""
    match node:
        case Leaf(text, "word"):
            quoted = text.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{quoted}"'
        case Leaf(text):
            return f"\\{text}" if text and text in "/()[]{}⟨⟩⌊⌋⌈⌉" else text
        case Row():
            return _row_to_typst(node)
        case Scripted():
            return _scripted_to_typst(node, tight)
        case Fraction(top, bottom):
            return f"frac({_argument(top)}, {_argument(bottom)})"
        case Fenced(left, inside, right):
            if not node.scaled or left + right in _PAIRS:
                return f"{left}{to_typst(inside)}{right}"
            ends = (
                "" if end == "." else f"\\{end}" if end in "()[]{}" else end
                for end in (left, right)
            )
            return f"lr({' '.join([next(ends), _argument(inside), next(ends)]).strip()})"
    if node.name == "bb" and re.fullmatch("[A-Z]", letter := to_typst(node.arguments[0])):
        return letter * 2
    if node.name == "cases":
        return f"cases({', '.join(' & '.join(map(_argument, row)) for row in node.rows)})"
    delim = f'delim: "{node.delim}", ' if node.delim else ""
    rows = "; ".join(", ".join(map(_argument, row)) for row in node.rows)
    return f"{node.name}({delim}{rows})"


def _row_to_typst(row: Row) -> str:
    text, glued, unary = "", True, True
    for part, after in pairwise((*row.parts, None)):
        assert part is not None
        if part == _ADJACENT:
            glued = True
            continue
        drawn = to_typst(part, tight=after == _ADJACENT)
        sign = part.text if isinstance(part, Leaf) and part.kind == "sign" else ""
        if drawn:
            space = "" if (glued and not sign) or (sign and sign in _NO_SPACE_BEFORE) else " "
            text += (space if text else "") + drawn
            glued = (unary and sign in ("-", "−", "+")) or (sign != "" and sign in _OPEN)
            unary = sign != "" and (sign in ",;" or sign not in _NO_SPACE_BEFORE)
    return text


def _argument(node: Node) -> str:
    r"""A call's argument in Typst's notation; commas, semicolons and colons get a backslash."""
    text, depth = "", 0
    for part in re.findall(r'"(?:\\.|[^"\\])*"|\\.|.', to_typst(node), re.DOTALL):
        depth += (part in "([{") - (part in ")]}")
        text += f"\\{part}" if part in (",", ";", ":") and depth <= 0 else part
    return text


def _scripted_to_typst(node: Scripted, tight: bool) -> str:
    base = to_typst(node.base)
    if isinstance(node.base, Row) and len(node.base.parts) != 1:
        base = f"lr({_argument(node.base)})" if base else '""'
    text = base + "'" * node.primes
    for sign, script in (("_", node.low), ("^", node.high)):
        if script is not None:
            inner = to_typst(script)
            is_one = re.fullmatch(r'[^\W_]|\d+|[^\x00-\x7f]|"[^"\\]*"', inner) and not tight
            text += sign + (inner if is_one else f"({inner})")
    return text
