"""LaTeX's mathematics in Typst's notation, for lecturers who write it out of habit.

LaTeX is read by pylatexenc. What has no counterpart here is not translated, and whoever offers a
translation tries it out first.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from clockhead.pipeline.storyboard.formulas import FormulaChecker
from clockhead.scenes.facts import TemplateError, fill, without_fields
from clockhead.scenes.style.theme import ROLES

_MACRO = re.compile(r"\\[A-Za-z]{2,}")
_SCRIPT = re.compile(r"[_^]\s*\{([^{}]*)\}")
_MATH = re.compile(r"(?<!\\)\$(.*?)(?<!\\)\$", re.DOTALL)
_CHARACTERS = re.compile(r"\d+(?:\.\d+)?|[A-Za-z]+|\s+|.", re.DOTALL)
_ONE_THING = re.compile(r'[\w.]+|"[^"]*"')

_SAME = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon
phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan exp log ln lg max min sup inf lim det
dim ker gcd arg deg Pr sum times div in approx equiv prop top forall exists quad
partial nabla subset
"""
"""What both call alike."""
_NAMES = {name: name for name in _SAME.split()} | {
    "varepsilon": "epsilon",
    "varphi": "phi",
    "vartheta": "theta.alt",
    "prod": "product",
    "int": "integral",
    "cdot": "dot",
    "cdots": "dots.c",
    "ldots": "...",
    "dots": "...",
    "le": "<=",
    "leq": "<=",
    "ge": ">=",
    "geq": ">=",
    "ne": "!=",
    "neq": "!=",
    "ll": "<<",
    "gg": ">>",
    "to": "->",
    "rightarrow": "->",
    "leftarrow": "<-",
    "Rightarrow": "=>",
    "implies": "=>",
    "iff": "<=>",
    "mapsto": "|->",
    "infty": "oo",
    "pm": "plus.minus",
    "mp": "minus.plus",
    "propto": "prop",
    "sim": "tilde.op",
    "notin": "in.not",
    "circ": "compose",
    "odot": "dot.o",
    "otimes": "times.o",
    "oplus": "plus.o",
    "intercal": "top",
    "mid": "|",
    "vert": "|",
    "lvert": "|",
    "rvert": "|",
    "Vert": "||",
    "lVert": "||",
    "rVert": "||",
    "|": "||",
    "{": "{{",
    "}": "}}",
    "%": "%",
    "#": r"\#",
    "$": r"\$",
    "&": r"\&",
    "_": r"\_",
    ",": "thin",
    ";": "thick",
    ":": "med",
    "qquad": "wide",
    "!": "",
    "left": "",
    "right": "",
    "displaystyle": "",
    "textstyle": "",
    "limits": "",
    "nolimits": "",
}
_NAMES |= {f"{big}{side}": "" for big in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r")}
_CALLS = {
    "frac": "frac",
    "dfrac": "frac",
    "tfrac": "frac",
    "binom": "binom",
    "sqrt": "sqrt",
    "hat": "hat",
    "widehat": "hat",
    "tilde": "tilde",
    "widetilde": "tilde",
    "bar": "overline",
    "overline": "overline",
    "underline": "underline",
    "vec": "arrow",
    "dot": "dot",
    "ddot": "dot.double",
    "mathbf": "bold",
    "boldsymbol": "bold",
    "bm": "bold",
    "mathcal": "cal",
    "mathbb": "bb",
    "mathfrak": "frak",
    "mathit": "italic",
}
_WORDS = {"text", "textrm", "textit", "textbf", "mbox", "mathrm", "operatorname", "mathsf"}
"""What puts a word upright."""
_ALONE = {"operatorname": 1, "boldsymbol": 1, "bm": 1, "dfrac": 2, "tfrac": 2, "mathit": 1}
"""How many arguments follow macros of which pylatexenc does not know it."""
_DELIMITERS = {"pmatrix": "", "bmatrix": 'delim: "[", ', "vmatrix": 'delim: "|", '}
_KNOWN = {*_SAME.split(), *ROLES, *_CALLS.values(), "dot", "product", "integral", "oo", "mat"}


class _Untranslatable(ValueError):
    """LaTeX without a counterpart here."""


def is_latex(math: str, facts: Container[str] = ()) -> bool:
    r"""Whether a formula has LaTeX's macros, or braces after `_` or `^` that hold no fact."""
    groups = (match[1].partition(":")[0] for match in _SCRIPT.finditer(math))
    return bool(_MACRO.search(math)) or any(name not in facts for name in groups)


def translations(
    template: str, facts: Container[str], formulas: FormulaChecker
) -> Iterator[tuple[str, str | None]]:
    """Each formula of a template that is LaTeX's, and the same in Typst's notation.

    None where it has none, or where Typst would refuse it. Facts in braces stay what they are.
    """
    for match in _MATH.finditer(template):
        if is_latex(match[1], facts):
            yield match[1], _tried(_typst(match[1], facts), formulas)


def replaced(template: str, changed: Mapping[str, str | None]) -> str:
    """A template with other formulas for these, a blank where there is none."""
    for old, new in changed.items():
        template = template.replace(f"${old}$", f"${new or ' '}$")
    return template


def _tried(math: str | None, formulas: FormulaChecker) -> str | None:
    if not math:
        return None
    try:
        filled = fill(without_fields(math.replace("{{", "(").replace("}}", ")")), {})
    except TemplateError:
        return None
    return None if formulas.problem(filled) else math


def _typst(math: str, facts: Container[str]) -> str | None:
    from pylatexenc.latexwalker import LatexWalker, LatexWalkerParseError

    try:
        nodes, _, _ = LatexWalker(math, tolerant_parsing=False).get_latex_nodes()
        return _Translator(facts).row(nodes)
    except (_Untranslatable, LatexWalkerParseError, RecursionError):
        return None


class _Translator:
    """Translates what pylatexenc has read, node by node."""

    def __init__(self, facts: Container[str]) -> None:
        self._facts = facts

    def row(self, nodes: Sequence[Any]) -> str:
        """Things side by side."""
        return _spaced(self._atoms(nodes))

    def _atoms(self, nodes: Sequence[Any]) -> list[str]:
        atoms: list[str] = []
        pending = ""
        for atom in self._things(list(nodes)):
            if atom in ("_", "^"):
                pending += atom
            elif pending:
                atoms[-1:] = [(atoms or ['""'])[-1] + pending + _as_one(atom)]
                pending = ""
            elif atom:
                atoms.append(atom)
        if pending:
            raise _Untranslatable
        return atoms

    def _things(self, nodes: list[Any]) -> Iterator[str]:
        """Every node's Typst; the letters of a word apart from each other."""
        while nodes:
            node = nodes.pop(0)
            match type(node).__name__:
                case "LatexCharsNode":
                    yield from _characters(node.chars)
                case "LatexGroupNode":
                    yield self._group(node)
                case "LatexMacroNode":
                    yield self._macro(node, nodes)
                case "LatexEnvironmentNode":
                    yield self._matrix(node)
                case "LatexSpecialsNode" if node.specials_chars == "~":
                    yield ""
                case "LatexSpecialsNode" if set(node.specials_chars) <= set("'`-!?"):
                    yield node.specials_chars
                case _:
                    raise _Untranslatable

    def _group(self, node: Any) -> str:
        inner = node.latex_verbatim()[1:-1]
        name = inner.partition(":")[0]
        if len(inner) > 1 and name in self._facts:
            return f"{{{inner}}}"
        return self.row(node.nodelist)

    def _macro(self, node: Any, rest: list[Any]) -> str:
        name = node.macroname
        given = [argument for argument in node.nodeargd.argnlist if argument is not None]
        if name in _ALONE and not given:
            given = _next(rest, _ALONE[name])
        if name in _WORDS:
            return self._word(given)
        if name in _CALLS and given:
            return self._call(_CALLS[name], given)
        return _NAMES[name] if name in _NAMES else _character(node)

    def _call(self, function: str, given: Sequence[Any]) -> str:
        arguments = [_in_arguments(self.row(_inside(argument))) for argument in given]
        if function == "bb" and re.fullmatch("[A-Z]", arguments[0]):
            return arguments[0] * 2
        if function == "sqrt" and len(arguments) == 2:
            function = "root"
        return f"{function}({', '.join(arguments)})"

    def _word(self, given: Sequence[Any]) -> str:
        text = "".join(node.latex_verbatim() for one in given for node in _inside(one)).strip()
        if re.search(r'[\\{}$"]', text):
            raise _Untranslatable
        return f"upright({text})" if len(text) == 1 else f'"{text}"'

    def _matrix(self, node: Any) -> str:
        if node.environmentname not in _DELIMITERS:
            raise _Untranslatable
        rows: list[list[list[Any]]] = [[[]]]
        for part in node.nodelist:
            if getattr(part, "specials_chars", "") == "&":
                rows[-1].append([])
            elif getattr(part, "macroname", "") == "\\":
                rows.append([[]])
            else:
                rows[-1][-1].append(part)
        lines = [", ".join(_in_arguments(self.row(cell)) for cell in row) for row in rows]
        return f"mat({_DELIMITERS[node.environmentname]}{'; '.join(filter(None, lines))})"


def _characters(text: str) -> Iterator[str]:
    for match in _CHARACTERS.finditer(text):
        word = match[0]
        if word.isalpha() and word not in _KNOWN:
            yield from word
        elif word == '"' or word == "#":
            raise _Untranslatable
        else:
            yield word.strip()


def _character(node: Any) -> str:
    """What pylatexenc knows a macro to look like."""
    from pylatexenc.latex2text import LatexNodes2Text

    seen = str(LatexNodes2Text(math_mode="text").node_to_text(node)).strip()
    if len(seen) != 1 or node.nodeargd.argnlist:
        raise _Untranslatable
    return seen


def _next(rest: list[Any], count: int) -> list[Any]:
    if len(rest) < count or any(type(node).__name__ != "LatexGroupNode" for node in rest[:count]):
        raise _Untranslatable
    return [rest.pop(0) for _ in range(count)]


def _inside(argument: Any) -> Sequence[Any]:
    return argument.nodelist if type(argument).__name__ == "LatexGroupNode" else [argument]


def _as_one(atom: str) -> str:
    return atom if _ONE_THING.fullmatch(atom) else f"({atom})"


def _in_arguments(text: str) -> str:
    r"""Commas that separate nothing are written `\,`."""
    return re.sub(r"(?<!\\)([,;])(?![^(]*\))", r"\\\1", text)


def _spaced(atoms: Iterable[str]) -> str:
    text = " ".join(filter(None, atoms))
    return re.sub(r"(?<=[(\[]) | (?=[)\],;'!])|(?<=\(-) ", "", text)
