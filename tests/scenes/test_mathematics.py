# ruff: noqa: RUF001
"""Formulas in two notations: how they are drawn, written and said, or both readings.

Tables are derived by hand from LaTeX's and Typst's manuals.
"""

import string
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clockhead.plain import plain_text
from clockhead.scenes.facts import TemplateError, fill, literal, misfits
from clockhead.scenes.mathematics import is_latex, settle, split_math, typst_source
from clockhead.scenes.mathematics.tree import MathError
from clockhead.scenes.style.typeset import typeset
from clockhead.storyboard.formulas import FormulaChecker
from clockhead.voice.words import spoken_form

pytestmark = pytest.mark.xdist_group("formulas")


@pytest.fixture(scope="module")
def checker():
    with closing(FormulaChecker()) as shared:
        yield shared


def drawn(math):
    """The glyphs of a formula and their places."""
    return typeset(f"${math}$", size_px=20, color="#000000")


SAME_PICTURE = [
    (r"\frac{1}{\sqrt{d}}", "frac(1, sqrt(d))"),
    (r"\frac12", "1/2"),
    ("QK^T", "Q K^T"),
    ("A^TA", "A^T A"),
    (r"\alpha_{ij}", "alpha_(i j)"),
    ("W_{QK}", "W_(Q K)"),
    (r"\sum_{j=1}^n a_j v_j", "sum_(j=1)^n a_j v_j"),
    (r"\int_0^1 f(x)\,dx", "integral_0^1 f(x) thin d x"),
    (r"\text{head}", '"head"'),
    (r"\text{if } x", '"if " x'),
    (r"\operatorname{softmax}(x)", 'op("softmax")(x)'),
    (r"\underset{x}{\operatorname{arg\,min}}", 'limits(op("arg min"))_x'),
    (r"\text{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V",
     '"softmax"(frac(Q K^top, sqrt(d_k))) V'),
    (r"\mathbf{W}(x)", "bold(W)(x)"),
    (r"\mathbb{R}^{d \times n}", "RR^(d times n)"),
    (r"\mathcal{L}(\theta)", "cal(L)(theta)"),
    (r"\hat{\mathbf{y}}, \bar{x}, \vec{v}", "hat(bold(y)), macron(x), arrow(v)"),
    (r"q \cdot k \le \varepsilon", "q dot k <= epsilon"),
    (r"\epsilon \ne \phi", "epsilon.alt != phi.alt"),
    (r"A \rightarrow B \Rightarrow C \mapsto D", "A -> B => C |-> D"),
    (r"P_\theta(x \mid y)", "P_(theta)(x divides y)"),
    (r"f'(x) \approx \pi", "f'(x) approx pi"),
    (r"-x \le -1", "-x <= -1"),
    (r"a/b \ge 99\%", "a slash b >= 99%"),
    (r"e^{-x^2/2}", "e^(-x^2 slash 2)"),
    (r"\|x\|_2 \ne |y|", "||x||_2 != |y|"),
    (r"\lVert x \rVert \in \lfloor \frac{a}{b} \rfloor", "norm(x) in floor(frac(a, b))"),
    (r"\left[0, \frac12\right)", "lr([0, 1/2))"),
    (r"x \in \{1, \ldots, n\}", "x in {1, ..., n}"),
    (r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", "mat(a, b; c, d)"),
    (r"\begin{cases} a & b \\ c & d \end{cases}", "cases(a & b, c & d)"),
    (r"\binom{n}{k} \sqrt[3]{a,b}", r"binom(n, k) root(3, a\, b)"),
    (r"\max_{i} \sin(x_i)", "max_i sin(x_i)"),
    (r"\{a\}", "{a}"),
]  # fmt: skip


@pytest.mark.parametrize(("latex", "typst"), SAME_PICTURE)
def test_latex_is_drawn_as_the_same_in_typst(latex, typst, checker):
    assert checker.problem(typst_source(latex)) is None
    assert drawn(typst_source(latex)) == drawn(typst)


@pytest.mark.parametrize(("latex", "typst"), SAME_PICTURE)
def test_both_notations_are_written_and_said_alike(latex, typst):
    one, other = (plain_text(f"${math}$").replace(" ", "") for math in (latex, typst))
    assert one == other
    assert spoken_form(f"${latex}$") == spoken_form(f"${typst}$")


@pytest.mark.parametrize(
    "math", ["x_10", "1/2", "a/b", "frac(1, 2)", "R_m^top", '"QK"^T', "RR^d", "key(k_n)", "x^(n-1)"]
)
def test_typst_stays_as_it_is(math):
    assert typst_source(math) == math


@pytest.mark.parametrize(
    ("math", "readings"),
    [
        (r"\alpha x_10", (r"\alpha x_{10}", r"\alpha x_1 0")),
        (r"\alpha x_ij", (r"\alpha x_{ij}", r"\alpha x_i j")),
        (r"\beta^-1", (r"\beta^{-1}", r"\beta^{-} 1")),
        (r"\alpha_(n)", (r"\alpha_{n}", r"\alpha_{(n)}")),
        (r"\alpha sqrt(d)", (r"\alpha \sqrt{d}", r"\alpha s q r t (d)")),
        (r"\frac{pi}{2}", (r"\frac{\pi }{2}", r"\frac{p i}{2}")),
        (r"d_{model}", (r"d_{\text{model}}", r"d_{m o d e l}")),
        (r"\alpha softmax(x)", (r"\alpha \operatorname{softmax}(x)", r"\alpha s o f t m a x(x)")),
        (r"x \in RR", (r"x \in \mathbb{R}", r"x \in R R")),
        (r"\alpha != 1", (r"\alpha \ne 1", r"\alpha ! = 1")),
        ("W_QK", ("W_(Q K)", "W_Q K")),
        ("1/QK", ("1/(Q K)", "1/Q K")),
        ("QK^T/2", ("(Q K^T)/2", "Q K^T/2")),
        ("MLP(x)", ('"MLP"(x)', "M L P (x)")),
        ("XX^T", ("bb(X)^T", "X X^T")),
        ("f_n(x)", ("f_n (x)", "f_(n(x))")),
        (r"a\,b", ("a thin b", "a,b")),
        ("x<-5", ("x < -5", "x <- 5")),
        ("10^-3", ("10^(-3)", "10^(-) 3")),
    ],
)
def test_the_ambiguous_is_refused_with_two_readings_that_work(math, readings, checker):
    with pytest.raises(MathError) as refusal:
        typst_source(math)
    assert refusal.value.readings == readings
    for choice, reading in enumerate(readings):
        assert settle(math, choice) == reading
        assert checker.problem(typst_source(reading)) is None


@pytest.mark.parametrize(
    "math",
    [
        *(
            r"\frac{1}",
            r"\frac{1",
            r"x^{2}}",
            r"\foo",
            r"\left( x",
            r"\right)",
            r"x^{1}^{2}",
            "",
            " ",
        ),
        *(r"\begin{align} x \end{align}", r"\begin{pmatrix} 1", r"\alpha \\ \beta", r"50% \alpha"),
        *(r"\text{\alpha}", r"\alpha &", "\\sqrt{" * 60 + "x" + "}" * 60, r"\frac^2"),
    ],
)
def test_what_is_not_understood_is_refused(math):
    with pytest.raises(MathError):
        typst_source(math)


@pytest.mark.parametrize(
    ("typed", "hint"), [(r"\apha", r"\alpha"), (r"\rightarow", r"\rightarrow")]
)
def test_a_misspelt_macro_is_told_with_the_nearest(typed, hint):
    with pytest.raises(MathError) as refusal:
        typst_source(typed)
    assert hint in str(refusal.value)


@pytest.mark.parametrize("text", ["$$x^2$$", r"\(x^2\)", r"\[x^2\]", "$x^2$"])
def test_formulas_stand_between_the_signs_of_latex_too(text):
    assert [(run.text, run.is_math) for run in split_math(f"so {text}.")][1] == ("x^2", True)
    assert plain_text(text) == "x²"


FACTS = {"head.alpha": 0.5, "n": 6, "word": "mat", "share": 0.9996, "m": 2}


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        (r"$\alpha = {head.alpha:.1f}$", "α = 0.5"),
        (r"$\frac{1}{2} {head.alpha}$", "1/2 0.5"),
        (r"$\frac{{n:d}}{{m:d}}$", "6/2"),
        (r"$\frac{n:}{m:}$", "6/2"),
        (r"$\frac{ n }{ m }$", "n/m"),
        (r"$\text{about {share:.1%}}$", "about > 99.9%"),
        ("$x_{n}$", "x₆"),
        (r"$x_{ij} = {n:}$", "xᵢⱼ = 6"),
        (r"$\{a, {n}\}$", "{a, 6}"),
        ("${{a}}$", "{a}"),
        (r"\(x_{ij}\) of {n}", "xᵢⱼ of 6"),
    ],
)
def test_facts_stand_in_braces_and_so_do_latex_groups(template, shown):
    assert misfits(template, FACTS) == []
    assert plain_text(fill(template, FACTS)) == shown


@pytest.mark.parametrize(
    "template",
    [
        r"$\alpha_{ij} = {head.alpha:.1f}$ of {n}",
        r"$\{a, {n}\}$ {{x}}",
        r"$\{\alpha\}$ is {{",
        "${{a}}$",
        "plain {n}",
    ],
)
def test_what_is_filled_in_can_be_written_as_a_template_again(template):
    text = fill(template, FACTS)
    assert fill(literal(text), FACTS) == text


@pytest.mark.parametrize(
    ("template", "named"),
    [
        (r"$\alpha_{n}$", ("{n:}", "{ n }")),
        (r"$\text{word}$", ("{word:}", "{ word }")),
        (r"$\alpha = {head.alhpa}$", ("{head.alpha}",)),
    ],
)
def test_braces_that_may_be_a_fact_or_latex_are_refused_with_both(template, named):
    with pytest.raises(TemplateError) as refusal:
        fill(template, FACTS)
    assert all(name in str(refusal.value) for name in named)


@pytest.mark.parametrize(
    ("math", "written", "english", "german"),
    [
        ("QK^T", "Q Kᵀ", "Q K transposed", "Q K transponiert"),
        (r"\sum_{j=1}^n a_j v_j", "∑ⱼ₌₁ⁿ aⱼ vⱼ", "the sum from J equals 1 to N of eigh J V J",
         "die Summe von J gleich 1 bis N von A J V J"),
        (r"\max_i x_i", "maxᵢ xᵢ", "the maximum over I of X I", "Maximum über I von X I"),
        (r"\frac{a+b}{2}", "(a + b)/2", "eigh plus B over 2", "A plus B durch 2"),
        (r"\frac12", "1/2", "one half", "ein halb"),
        (r"\hat{y}", "ŷ", "Y hat", "Y Dach"),
        (r"x \in \mathbb{R}^{d \times n}", "x ∈ ℝ^(d × n)", "X in R D by N", "X in R D mal N"),
        (r"P_\theta(x \mid y)", "P_θ(x ∣ y)", "P theta of X given Y", "P theta von X gegeben Y"),
        (r"\text{softmax}(x)_i", "softmax(x)ᵢ", "softmax of X I", "softmax von X I"),
        (r"\lVert v \rVert^2", "‖v‖²", "the norm of V squared", "Norm von V Quadrat"),
        ('d_("head")', "d_head", "D head", "D head"),
        (r"d_{\text{head}} = 64", "d_head = 64", "D head equals 64", "D head gleich 64"),
        ("(X V) O = X (V O)", "(X V) O = X (V O)", "X V times O equals X times V O",
         "X V mal O gleich X mal V O"),
        (r"\gamma^T", "γᵀ", "gamma to the power of T", "gamma hoch T"),
        (r"\sqrt[3]{x}", "³√x", "the root of order 3 of X", "3. Wurzel aus X"),
        (r"\arg\max_i p(x|y)", "arg maxᵢ p(x | y)", "the arg max over I of P of X given Y",
         "arg max über I von P von X gegeben Y"),
        (r"W_i^Q, A^*, f^\prime", "Wᵢ^Q, A*, f′", "W I Q, eigh star, F prime",
         "W I Q, A Stern, F Strich"),
        ('mat(1, 2; 3, 4; delim: "[")', "(1, 2; 3, 4)", "the matrix 1, 2; 3, 4",
         "die Matrix 1, 2; 3, 4"),
        ("n = 1,000", "n = 1,000", "N equals 1,000", "N gleich 1,000"),
        (r"\log_2 n", "log₂ n", "the logarithm to base 2 of N", "Logarithmus zur Basis 2 von N"),
        (r"f'(x)", "f′(x)", "F prime of X", "F Strich von X"),
    ],
)  # fmt: skip
def test_formulas_are_written_and_said(math, written, english, german):
    assert plain_text(f"${math}$") == written
    assert spoken_form(f"${math}$") == english
    assert spoken_form(f"${math}$", "de") == german


PARTS = [
    *(r"\frac", r"\sqrt", "{", "}", "(", ")", "[", "]", "|", r"\|", "_", "^", "'", "x", "ab", "QK"),
    *("12", "+", "-", "/", "=", r"\alpha", r"\sum", r"\text{if }", r"\left(", r"\right)", r"\{"),
    *(r"\right.", r"\hat", r"\mathbb{R}", r"\begin{pmatrix}", r"\end{pmatrix}", "&", r"\\", r"\,"),
    *(",", ";", ":", "!", '"w"', "sqrt(", "alpha", "%", "~", "$", "#", "\\", '"', " ", r"\langle"),
]


@settings(max_examples=150, derandomize=True, database=None, deadline=None)
@given(st.lists(st.sampled_from(PARTS) | st.text(string.printable, max_size=3), max_size=12))
def test_whatever_is_typed_is_read_or_refused_and_what_is_latex_typesets(checker, parts):
    text = f"a ${''.join(parts)}$ b"
    plain_text(text)
    try:
        runs = split_math(text)
    except MathError:
        return
    assert spoken_form(text) is not None
    for run in runs:
        if run.is_math and is_latex("".join(parts)) and "$" not in "".join(parts):
            problem = checker.problem(run.text)
            assert problem is None or "font" in problem


@pytest.mark.parametrize("sign", ["(", "|", r"\{", "_(", "{", r"\left(", "sqrt(", "/", "^"])
def test_nothing_hangs(sign):
    for text in (sign * 150, f"{sign}x" * 100):
        plain_text(f"${text}$")
        plain_text(rf"$\alpha {text}$")
