# ruff: noqa: RUF001
"""Sentences as they are spoken: formulas, signs and numbers as words.

    $sqrt(d)$ -> the square root of D      > 99.9% -> more than 99.9 percent      x^2 -> X squared

A table has one column for each language. A language without one gets the sentence in plain signs,
which its voice reads as it can; numbers are left as digits, which every voice reads.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

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
    bare,
    inked,
)
from clockhead.scenes.mathematics.typst import read

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
"""What is said, a column for each language, two spaces apart; `{}` is what it is applied to.

`words` and `letters` are what a voice would read wrongly; `signs` stand in sentences and formulas,
`names` in formulas alone, `ranging` with what stands below and above it.
"""


class Table(dict[str, dict[str, str]]):
    """A column: the sections with what the language says in each."""

    def __init__(self, column: int) -> None:
        super().__init__()
        for block in _COLUMNS.strip().split("\n\n"):
            section, *rows = block.split("\n")
            cells = [re.split(" {2,}", row) for row in rows]
            self[section] = {row[0]: row[1 + column] for row in cells}


TABLES = {language: Table(column) for column, language in enumerate(_LANGUAGES)}
_LETTER = re.compile(r"(?<![\w'\u2019.-])[b-hj-z](?![\w'\u2019-])")
"""A letter by itself that is no word, such as a quantity's name."""
_NAMED = re.compile(r"[“„«\"]([A-Za-z])[”“»\"]")
"""A letter in quotation marks is called by its name."""
_FRACTION = re.compile(r"(?<![\w./])(\d+)/(\d+)(?!\w|[./]\d)")
_CALL = re.compile(r"\b([A-Za-z_]+)\(([^()]+)\)")
_RAISED = {"²": "2", "³": "3"}
_SAID = re.compile(r"(?<=\d)\s*(%)|([=≠≈≤≥<>+−×·÷±→∞√∑∏∈°])")


def spoken_form(text: str, language: str = "en") -> str:
    """A sentence as a voice is to read it: words, digits and stops alone.

    Raises:
        ValueError: when a `$` is opened and not closed.
    """
    table = TABLES.get(language)
    if table is None:
        return plain_text(text)
    runs = (
        f" {_Speaker(table).say(read(run.text))} " if run.is_math else _prose(run.text, table)
        for run in split_math(text)
    )
    return _tidy("".join(runs))


def _prose(text: str, table: Table) -> str:
    text = _NAMED.sub(lambda match: _letter(match[1], table), text)
    text = _CALL.sub(
        lambda match: table["forms"]["call"].format(match[1].replace("_", " "), match[2]), text
    )
    text = re.sub(r"(?<=\w)_(?=\w)", " ", text)
    text = re.sub(r"(\d) ?(GB|MB)\b", lambda m: f"{m[1]} {table['units'][m[2]]}", text)
    text = _FRACTION.sub(lambda match: _fraction(match, table), text)
    text = re.sub(r"-(?=\d)(?<![\w]-)", "−", text)
    text = re.sub(r"([+,]) *…(?= *[+,])", rf"\1 {table['names']['…']}", text)
    text = _LETTER.sub(lambda match: match[0].upper(), text)
    text = _SAID.sub(lambda match: f" {table['signs'][match[1] or match[2]]} ", text)
    text = re.sub("[²³]", lambda match: f" {table['powers'][_RAISED[match[0]]]}", text)
    text = "".join(p if len(p) > 1 else _greek(p, table) for p in _GREEK_WORD.findall(text))
    return re.sub(r"\b\w+\b", lambda match: table["words"].get(match[0], match[0]), text)


def _letter(letter: str, table: Table) -> str:
    return table["letters"].get(letter.upper(), letter.upper())


def _fraction(match: re.Match[str], table: Table) -> str:
    return table["fractions"].get(match[0]) or table["forms"]["over"].format(match[1], match[2])


def _greek(sign: str, table: Table) -> str:
    if sign in table["signs"]:
        return f" {table['signs'][sign]} "
    name = unicodedata.name(sign, "")
    called = (name or sign).split()[-1].lower().replace("lamda", "lambda")
    return f" {called} " if name.startswith("GREEK") else sign


def _tidy(text: str) -> str:
    """One space between words, no brackets or marks that are not heard, stops where they belong."""
    text = re.sub(r"\s*…", ",", text)
    text = re.sub(r"\((\d+)\)", r"\1", text)
    text = re.sub(r"(?<=[.!?])\s*\(", " ", text)
    text = re.sub(r"\s*\(", ", ", text.translate(_UNHEARD))
    text = re.sub(r"\)", ",", text)
    text = re.sub(r"\s+([,.;:!?])", r"\1", " ".join(text.split()))
    text = re.sub(r"(?:,\s*)+([.;:!?,])", r"\1", text)
    return text.strip(" ,")


_UNHEARD = str.maketrans(dict.fromkeys('“”„«»"[]{}|\u2068\u2069', " "))
_GREEK_WORD = re.compile("[\u0370-\u03ff\u1f00-\u1fff]{3,}|.", re.DOTALL)
"""A word of Greek letters, or a single sign; two Greek letters are a product such as Δθ."""


class _Speaker:
    """Says formulas."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def say(self, node: Node) -> str:
        """A part of a formula in words."""
        match node:
            case Leaf():
                return self._leaf(node)
            case Row():
                return self._row(node)
            case Scripted():
                return self._scripted(node)
            case Fraction(top, bottom):
                named = self._table["fractions"].get(f"{plain_math(top)}/{plain_math(bottom)}")
                return named or self._table["forms"]["over"].format(self.say(top), self.say(bottom))
            case Fenced(left, inside, _):
                return self._table["functions"].get(left, "{}").format(self.say(inside))
        return self._call(node)

    def _leaf(self, leaf: Leaf) -> str:
        text, table = leaf.text, self._table
        if leaf.kind == "word":
            return _prose(text, table)
        if leaf.kind == "space":
            return ""
        if text in table["ranging"]:
            return table["forms"]["ranges"].format(table["ranging"][text])
        said = table["names"].get(text) or table["signs"].get(text)
        if said or leaf.kind in ("number", "name"):
            return said or table["words"].get(text, text)
        if leaf.kind == "letter" and text.isascii():
            return _letter(text, table)
        if _is_greek(leaf):
            return _greek(unicodedata.normalize("NFKC", text), table).strip()
        return text if text in ",;:.!" or text.isalpha() else ""

    def _row(self, row: Row) -> str:
        """What stands side by side; a function is said to be one of what follows it in brackets."""
        said: list[str] = []
        before: Node | None = None
        gap, link = False, ""
        for part in _with_arg(row.parts):
            if isinstance(part, Leaf) and part.kind == "space":
                gap = True
                said.append("," * (len(part.text) > 1))
                continue
            group = part.base if isinstance(part, Scripted) else part
            held = group.inside if isinstance(group, Fenced) and group.left == "(" else None
            several = held is not None and len(inked(held)) > 1
            if held is not None and not gap and self._is_function(before):
                inside = self.say(held)
                call = self._table["forms"]["call"].format(said[-1], inside)
                said[-1] = self._with_scripts(call, part) if isinstance(part, Scripted) else call
                link = "," * (" " in inside)
            else:
                times = self._table["signs"]["×"] if several else ""
                if not (isinstance(part, Leaf) and part.kind == "sign"):
                    said.append((times if _is_factor(before) else "") or link)
                said.append(self.say(part))
                link = times or "," * isinstance(part, Fraction)
            before, gap = part, False
        return " ".join(filter(None, said))

    def _is_function(self, node: Node | None) -> bool:
        """Whether brackets that follow at once hold what it is applied to."""
        if isinstance(node, Scripted):
            return node.high is None and self._is_function(node.base)
        if isinstance(node, Leaf):
            said = node.text in self._table["names"] or node.text in self._table["ranging"]
            return node.kind in ("letter", "name", "word") and not said
        return isinstance(node, Call) and (node.name in STYLES or node.name in ACCENTS)

    def _scripted(self, node: Scripted) -> str:
        base, table = bare(node.base), self._table
        while isinstance(base, Call) and base.name in ("limits", "op") and base.arguments:
            base = bare(base.arguments[0])
        name = base.text if isinstance(base, Leaf) else ""
        if (ranging := table["ranging"].get(name)) and node.low is not None:
            forms, low = table["forms"], self.say(node.low)
            if node.high is not None:
                return forms["ranges both"].format(ranging, low, self.say(node.high))
            return forms.get(f"ranges below {name}", forms["ranges below"]).format(ranging, low)
        return self._with_scripts(self.say(base), node)

    def _with_scripts(self, said: str, node: Scripted) -> str:
        for _ in range(node.primes):
            said = self._table["forms"]["prime"].format(said)
        if node.low is not None:
            said += f" {self.say(node.low)}"
        return said if node.high is None else f"{said} {self._power(bare(node.base), node.high)}"

    def _power(self, base: Node, high: Node) -> str:
        one, table = bare(high), self._table
        if isinstance(one, Fenced):
            return self.say(one.inside)
        if isinstance(base, Call) and base.name == "bb":
            times = f" {table['signs']['×']} "
            return self.say(high).replace(times, f" {table['forms']['by']} ")
        text = plain_math(one).replace(" ", "")
        if text == "T" and not _is_greek(base):
            text = "⊤"
        elif len(text) == 1 and text.isupper() and plain_math(base).isupper():
            return self.say(high)  # the Q of a matrix of queries is no power
        return table["powers"].get(text) or table["forms"]["power"].format(self.say(high))

    def _call(self, call: Call) -> str:
        rows = [[self.say(argument) for argument in row] for row in call.rows]
        said = [argument for row in rows for argument in row]
        if call.name in STYLES:
            return said[0] if said else ""
        form, inside = self._table["functions"].get(call.name), ", ".join(said)
        if form is None:
            return self._table["forms"]["call"].format(call.name, inside)
        if form.count("{}") == len(said):
            return form.format(*said)
        return form.format("; ".join(map(", ".join, rows)), "")


def _with_arg(parts: Sequence[Node]) -> Iterator[Node]:
    """Things side by side, `arg` and the `max` behind it as one."""
    arg = Leaf("arg", "name")
    rest = iter(parts)
    for part in rest:
        following = next((p for p in rest if inked(p)), None) if part == arg else None
        base = following.base if isinstance(following, Scripted) else following
        if isinstance(base, Leaf) and base.text in ("max", "min"):
            both = Leaf(f"arg {base.text}", "name")
            yield replace(following, base=both) if isinstance(following, Scripted) else both
        else:
            yield part
            yield from () if following is None else (following,)


def _is_factor(node: Node | None) -> bool:
    """Whether what stands before brackets is multiplied with them: no sign, no function."""
    is_word = isinstance(node, Leaf) and node.kind in ("sign", "name", "word")
    return node is not None and not is_word and not _ranges(node)


def _ranges(node: Node) -> bool:
    """Whether it is a sum or the like, which is of what follows."""
    base = bare(node.base) if isinstance(node, Scripted) else node
    return isinstance(base, Leaf) and base.kind in ("sign", "name")


def _is_greek(node: Node) -> bool:
    return isinstance(node, Leaf) and bool(re.fullmatch("[Ͱ-Ͽ]", node.text))
