# ruff: noqa: RUF001
"""Sentences as a voice should read them: formulas and signs as words.

    $sqrt(d)$ -> the square root of D      > 99.9% -> more than 99.9 percent      x^2 -> X squared

Numbers stay digits, which every voice can read. In a language without a column in the table below,
signs stay too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from clockhead.plain import STYLES, plain_math, plain_text
from clockhead.scenes.mathematics import split_math
from clockhead.scenes.mathematics.tree import (
    ACCENTS,
    Call,
    Fenced,
    Fraction,
    Leaf,
    Node,
    Row,
    Scripted,
    unwrap,
    visible_parts,
)
from clockhead.scenes.mathematics.typst import read_typst

_LANGUAGES = ("en", "de")
_COLUMNS = """
words
RoPE  rope  Roup
ReLU  ray loo  Relu
LLaMA  llama  Lama
argmax  arg max  argmax

letters
A  eigh  A

units
GB  gigabytes  Gigabyte
MB  megabytes  Megabyte

fractions
1/2  one half  ein halb
1/3  one third  ein Drittel
1/4  one quarter  ein Viertel
1/8  one eighth  ein Achtel
1/16  one sixteenth  ein Sechzehntel
1/32  one thirty-second  ein Zweiunddreißigstel

signs
%  percent  Prozent
=  equals  gleich
≠  is not  ungleich
≈  is about  etwa
≤  is at most  höchstens
≥  is at least  mindestens
<  less than  weniger als
>  more than  mehr als
+  plus  plus
−  minus  minus
×  times  mal
·  times  mal
÷  over  durch
±  plus or minus  plus oder minus
→  to  nach
∞  infinity  unendlich
√  the square root of  Wurzel aus
∑  the sum of  die Summe über
∏  the product of  das Produkt über
∈  in  in
°  degrees  Grad
π  pie  pi
Δ  delta  Delta

names
<  is less than  kleiner als
>  is more than  größer als
≪  is much less than  viel kleiner als
≫  is much more than  viel größer als
⋅  times  mal
*  times  mal
∗  times  mal
⊙  times  mal
⊗  times  mal
⊕  plus  plus
/  over  durch
∘  after  nach
…  and so on  und so weiter
⋯  and so on  und so weiter
≡  is  ist
:=  is  ist
∼  is distributed as  ist verteilt wie
∝  is proportional to  ist proportional zu
∣  given  gegeben
|  given  gegeben
‖  and  und
∉  not in  nicht in
⊂  within  in
⊆  within  in
∪  or  oder
∩  and  und
∧  and  und
∨  or  oder
¬  not  nicht
∀  for all  für alle
∃  there is  es gibt
←  from  von
↦  becomes  wird
⇒  implies  daraus folgt
⟹  implies  daraus folgt
⇔  if and only if  genau dann, wenn
⟺  if and only if  genau dann, wenn
∂  partial  partiell
∇  nabla  Nabla
⊤  transposed  transponiert
ℓ  L  L
cos  the cosine of  Cosinus von
sin  the sine of  Sinus von
tan  the tangent of  Tangens von
exp  e to the  e hoch
ln  the natural logarithm of  der natürliche Logarithmus von
det  the determinant of  die Determinante von

ranging
∑  the sum  die Summe
∏  the product  das Produkt
∫  the integral  das Integral
max  the maximum  Maximum
min  the minimum  Minimum
arg max  the arg max  arg max
arg min  the arg min  arg min
lim  the limit  Grenzwert
log  the logarithm  Logarithmus

functions
sqrt  the square root of {}  Wurzel aus {}
root  the root of order {} of {}  {}. Wurzel aus {}
abs  the size of {}  Betrag von {}
|  the length of {}  Länge von {}
‖  the norm of {}  Norm von {}
norm  the norm of {}  Norm von {}
floor  {} rounded down  {} abgerundet
⌊  {} rounded down  {} abgerundet
ceil  {} rounded up  {} aufgerundet
⌈  {} rounded up  {} aufgerundet
binom  {} choose {}  {} über {}
hat  {} hat  {} Dach
tilde  {} tilde  {} Tilde
macron  {} bar  {} quer
overline  {} bar  {} quer
arrow  vector {}  Vektor {}
dot  {} dot  {} Punkt
dot.double  {} double dot  {} zwei Punkt
mat  the matrix {}  die Matrix {}
vec  the vector {}  der Vektor {}
cases  {}  {}

powers
2  squared  Quadrat
3  cubed  hoch 3
−1  to the minus 1  hoch minus 1
⊤  transposed  transponiert
*  star  Stern
∗  star  Stern
†  dagger  Dagger
′  prime  Strich

forms
call  {} of {}  {} von {}
over  {} over {}  {} durch {}
power  to the power of {}  hoch {}
prime  {} prime  {} Strich
by  by  mal
ranges  {} of  {} von
ranges below  {} over {} of  {} über {} von
ranges below lim  {} for {} of  {} für {} von
ranges below log  {} to base {} of  {} zur Basis {} von
ranges both  {} from {} to {} of  {} von {} bis {} von
"""
"""The spoken words, a column for each language, two spaces apart; `{}` is for the argument.

`words` and `letters` are those that a voice would read wrongly. `signs` occur in sentences and in
formulas, `names` only in formulas, `ranging` with something below and above.
"""

Wording: TypeAlias = dict[str, dict[str, str]]
"""The column of one language, by section and sign."""


def _read_column(column: int) -> Wording:
    wording: Wording = {}
    for block in _COLUMNS.strip().split("\n\n"):
        section, *rows = block.split("\n")
        cells = [re.split(" {2,}", row) for row in rows]
        wording[section] = {row[0]: row[1 + column] for row in cells}
    return wording


_WORDINGS = {language: _read_column(column) for column, language in enumerate(_LANGUAGES)}
_LETTER = re.compile(r"(?<![\w'\u2019.-])[b-hj-z](?![\w'\u2019-])")
"""A single letter that is not a word, such as a variable."""
_NAMED = re.compile(r"[“„«\"]([A-Za-z])[”“»\"]")
"""A letter in quotation marks."""
_FRACTION = re.compile(r"(?<![\w./])(\d+)/(\d+)(?!\w|[./]\d)")
_CALL = re.compile(r"\b([A-Za-z_]+)\(([^()]+)\)")
_RAISED = {"²": "2", "³": "3"}
_SAID = re.compile(r"(?<=\d)\s*(%)|([=≠≈≤≥<>+−×·÷±→∞√∑∏∈°])")


def spoken_form(text: str, language: str = "en") -> str:
    """A sentence for a voice: only words, digits and punctuation.

    Raises:
        ValueError: if a `$` has no partner.
    """
    wording = _WORDINGS.get(language)
    if wording is None:
        return plain_text(text)
    runs = (
        f" {_FormulaReader(wording).say(read_typst(run.text))} "
        if run.is_math
        else _prose(run.text, wording)
        for run in split_math(text)
    )
    return _tidy("".join(runs))


def _prose(text: str, wording: Wording) -> str:
    text = _NAMED.sub(lambda match: _letter(match[1], wording), text)
    text = _CALL.sub(
        lambda match: wording["forms"]["call"].format(match[1].replace("_", " "), match[2]), text
    )
    text = re.sub(r"(?<=\w)_(?=\w)", " ", text)
    text = re.sub(r"(\d) ?(GB|MB)\b", lambda m: f"{m[1]} {wording['units'][m[2]]}", text)
    fractions, over = wording["fractions"], wording["forms"]["over"]
    text = _FRACTION.sub(
        lambda match: fractions.get(match[0]) or over.format(match[1], match[2]), text
    )
    text = re.sub(r"-(?=\d)(?<![\w]-)", "−", text)
    text = re.sub(r"([+,]) *…(?= *[+,])", rf"\1 {wording['names']['…']}", text)
    text = _LETTER.sub(lambda match: match[0].upper(), text)
    text = _SAID.sub(lambda match: f" {wording['signs'][match[1] or match[2]]} ", text)
    text = re.sub("[²³]", lambda match: f" {wording['powers'][_RAISED[match[0]]]}", text)
    text = "".join(p if len(p) > 1 else _greek(p, wording) for p in _GREEK_WORD.findall(text))
    return re.sub(r"\b\w+\b", lambda match: wording["words"].get(match[0], match[0]), text)


def _letter(letter: str, wording: Wording) -> str:
    return wording["letters"].get(letter.upper(), letter.upper())


def _greek(sign: str, wording: Wording) -> str:
    if sign in wording["signs"]:
        return f" {wording['signs'][sign]} "
    name = unicodedata.name(sign, "")
    called = (name or sign).split()[-1].lower().replace("lamda", "lambda")
    return f" {called} " if name.startswith("GREEK") else sign


def _tidy(text: str) -> str:
    """Single spaces, no brackets and quotation marks, punctuation directly after words."""
    text = re.sub(r"\s*…", ",", text)
    text = re.sub(r"\((\d+)\)", r"\1", text)
    text = re.sub(r"(?<=[.!?])\s*\(", " ", text)
    text = re.sub(r"\s*\(", ", ", text.translate(_SILENT_SIGNS))
    text = re.sub(r"\)", ",", text)
    text = re.sub(r"\s+([,.;:!?])", r"\1", " ".join(text.split()))
    text = re.sub(r"(?:,\s*)+([.;:!?,])", r"\1", text)
    return text.strip(" ,")


_SILENT_SIGNS = str.maketrans(dict.fromkeys('“”„«»"[]{}|\u2068\u2069', " "))
_GREEK_WORD = re.compile("[\u0370-\u03ff\u1f00-\u1fff]{3,}|.", re.DOTALL)
"""A word of Greek letters, or a single sign; two Greek letters are a product such as Δθ."""


class _FormulaReader:
    """Reads formulas aloud."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording

    def say(self, node: Node) -> str:
        """A node of a formula in words."""
        match node:
            case Leaf():
                return self._leaf(node)
            case Row():
                return self._row(node)
            case Scripted():
                return self._scripted(node)
            case Fraction(top, bottom):
                named = self._wording["fractions"].get(f"{plain_math(top)}/{plain_math(bottom)}")
                return named or self._wording["forms"]["over"].format(
                    self.say(top), self.say(bottom)
                )
            case Fenced(left, inside, _):
                return self._wording["functions"].get(left, "{}").format(self.say(inside))
        return self._call(node)

    def _leaf(self, leaf: Leaf) -> str:
        text, wording = leaf.text, self._wording
        if leaf.kind == "word":
            return _prose(text, wording)
        if leaf.kind == "space":
            return ""
        if text in wording["ranging"]:
            return wording["forms"]["ranges"].format(wording["ranging"][text])
        said = wording["names"].get(text) or wording["signs"].get(text)
        if said or leaf.kind in ("number", "name"):
            return said or wording["words"].get(text, text)
        if leaf.kind == "letter" and text.isascii():
            return _letter(text, wording)
        if _is_greek(leaf):
            return _greek(unicodedata.normalize("NFKC", text), wording).strip()
        return text if text in ",;:.!" or text.isalpha() else ""

    def _row(self, row: Row) -> str:
        """Nodes side by side; a function is read with the brackets after it: `f of x`."""
        said: list[str] = []
        before: Node | None = None
        gap, link = False, ""
        for part in _join_arg(row.parts):
            if isinstance(part, Leaf) and part.kind == "space":
                gap = True
                said.append("," * (len(part.text) > 1))
                continue
            group = part.base if isinstance(part, Scripted) else part
            held = group.inside if isinstance(group, Fenced) and group.left == "(" else None
            several = held is not None and len(visible_parts(held)) > 1
            if held is not None and not gap and self._is_function(before):
                inside = self.say(held)
                call = self._wording["forms"]["call"].format(said[-1], inside)
                said[-1] = self._with_scripts(call, part) if isinstance(part, Scripted) else call
                link = "," * (" " in inside)
            else:
                times = self._wording["signs"]["×"] if several else ""
                if not (isinstance(part, Leaf) and part.kind == "sign"):
                    said.append((times if _is_factor(before) else "") or link)
                said.append(self.say(part))
                link = times or "," * isinstance(part, Fraction)
            before, gap = part, False
        return " ".join(filter(None, said))

    def _is_function(self, node: Node | None) -> bool:
        """Whether brackets directly after it hold its argument."""
        if isinstance(node, Scripted):
            return node.high is None and self._is_function(node.base)
        if isinstance(node, Leaf):
            said = node.text in self._wording["names"] or node.text in self._wording["ranging"]
            return node.kind in ("letter", "name", "word") and not said
        return isinstance(node, Call) and (node.name in STYLES or node.name in ACCENTS)

    def _scripted(self, node: Scripted) -> str:
        base, wording = unwrap(node.base), self._wording
        while isinstance(base, Call) and base.name in ("limits", "op") and base.arguments:
            base = unwrap(base.arguments[0])
        name = base.text if isinstance(base, Leaf) else ""
        if (ranging := wording["ranging"].get(name)) and node.low is not None:
            forms, low = wording["forms"], self.say(node.low)
            if node.high is not None:
                return forms["ranges both"].format(ranging, low, self.say(node.high))
            return forms.get(f"ranges below {name}", forms["ranges below"]).format(ranging, low)
        return self._with_scripts(self.say(base), node)

    def _with_scripts(self, said: str, node: Scripted) -> str:
        for _ in range(node.primes):
            said = self._wording["forms"]["prime"].format(said)
        if node.low is not None:
            said += f" {self.say(node.low)}"
        return said if node.high is None else f"{said} {self._power(unwrap(node.base), node.high)}"

    def _power(self, base: Node, high: Node) -> str:
        one, wording = unwrap(high), self._wording
        if isinstance(one, Fenced):
            return self.say(one.inside)
        if isinstance(base, Call) and base.name == "bb":
            times = f" {wording['signs']['×']} "
            return self.say(high).replace(times, f" {wording['forms']['by']} ")
        text = plain_math(one).replace(" ", "")
        if text == "T" and not _is_greek(base):
            text = "⊤"
        elif len(text) == 1 and text.isupper() and plain_math(base).isupper():
            return self.say(high)  # such as the Q of a matrix of queries, which is no power
        return wording["powers"].get(text) or wording["forms"]["power"].format(self.say(high))

    def _call(self, call: Call) -> str:
        rows = [[self.say(argument) for argument in row] for row in call.rows]
        said = [argument for row in rows for argument in row]
        if call.name in STYLES:
            return said[0] if said else ""
        form, inside = self._wording["functions"].get(call.name), ", ".join(said)
        if form is None:
            return self._wording["forms"]["call"].format(call.name, inside)
        if form.count("{}") == len(said):
            return form.format(*said)
        return form.format("; ".join(map(", ".join, rows)), "")


def _join_arg(parts: Sequence[Node]) -> Iterator[Node]:
    """Nodes side by side, with `arg` and a `max` after it as one."""
    arg = Leaf("arg", "name")
    rest = iter(parts)
    for part in rest:
        following = next((p for p in rest if visible_parts(p)), None) if part == arg else None
        base = following.base if isinstance(following, Scripted) else following
        if isinstance(base, Leaf) and base.text in ("max", "min"):
            both = Leaf(f"arg {base.text}", "name")
            yield replace(following, base=both) if isinstance(following, Scripted) else both
        else:
            yield part
            yield from () if following is None else (following,)


def _is_factor(node: Node | None) -> bool:
    """Whether a node before brackets is multiplied with them: neither a sign nor a function."""
    if node is None or (isinstance(node, Leaf) and node.kind == "word"):
        return False
    # A sum or the like, with scripts or without, applies to what follows.
    base = unwrap(node.base) if isinstance(node, Scripted) else node
    return not (isinstance(base, Leaf) and base.kind in ("sign", "name"))


def _is_greek(node: Node) -> bool:
    return isinstance(node, Leaf) and bool(re.fullmatch("[Ͱ-Ͽ]", node.text))
