"""Sentences for a voice and as plain text, without any typesetting."""

import re

import pytest

from clockhead.plain import plain_text
from clockhead.voice.words import spoken_form
from tests.shipped import FILMS, shipped

pytestmark = pytest.mark.xdist_group("words")


@pytest.mark.parametrize(
    ("shown", "spoken"),
    [
        ("Divided by $sqrt(d)$.", "Divided by the square root of D."),
        ("gets 99.9%, never > 99.9%", "gets 99.9 percent, never more than 99.9 percent"),
        ("99 % or so", "99 percent or so"),
        ("$x^2$, $x^3$, $x^n$", "X squared, X cubed, X to the power of N"),
        ("$12 L d^2$", "12 L D squared"),
        ("$R_m^top$ turns back", "R M transposed turns back"),
        ("$A_1 X >= 0$", "eigh 1 X is at least 0"),
        ("$frac(q dot k, sqrt(d))$", "Q times K over the square root of D"),
        (
            "$|h| < 8 dot 10^(-17)$",
            "the length of H is less than 8 times 10 to the power of minus 17",
        ),
        ("$bold(W_Q) -> key(k)$", "W Q to K"),
        ("α ≥ 0.5, $theta_i$, $lambda$", "alpha is at least 0.5, theta I, lambda"),
        ("−0.25 and -2, but one-hot", "minus 0.25 and minus 2, but one-hot"),
        ("with β = 10", "with beta equals 10"),
        ("P(next) = softmax(logits), by W_out", "P of next equals softmax of logits, by W out"),
        ("1 + 3 + … + 300", "1 plus 3 plus and so on plus 300"),
        ("1/8 of 17.18 GB (or 3/7)", "one eighth of 17.18 gigabytes, or 3 over 7"),
        ("“a” came after “the”. A token.", "eigh came after the. A token."),
        ("RoPE and ReLU", "rope and ray loo"),
        (r"it costs \$5…", "it costs $5"),
    ],
)
def test_formulas_and_signs_become_words(shown, spoken):
    assert spoken_form(shown) == spoken


def test_each_language_has_its_own_words():
    german = spoken_form("„a“ hat ≥ 99,9 % bei $sqrt(d)$ und $x^2$", "de")
    assert german == "A hat mindestens 99,9 Prozent bei Wurzel aus D und X Quadrat"


def test_in_a_language_without_a_table_signs_stay():
    assert spoken_form("$sqrt(d) >= 3$ %", "fr") == "√d ≥ 3 %"


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    """All sentences of the films, each once."""
    texts = []
    for film in map(shipped, FILMS):
        texts += [film.title, film.credit]
        for shot in film.shots:
            said = shot.shot
            texts += [said.title, said.question, *said.sentences, said.caption]
    return list(dict.fromkeys(texts))


def test_no_typesetting_is_left_in_any_caption_that_ships(sentences):
    """Except indices that Unicode lacks, such as the Q of W_Q."""
    assert len(sentences) > 400
    left = re.compile(
        r"[$\\#&\"^]|_(?![A-Z]\b|out\b)|\b(?:sqrt|frac|dot|bold|theta|top|quad)\b *\("
    )
    strange = [text for text in map(plain_text, sentences) if left.search(text)]
    assert strange == []


def test_a_voice_gets_only_words_digits_and_punctuation(sentences):
    strange = {
        text: spoken
        for text in sentences
        if re.search(r"[^A-Za-zé0-9 ,.;:!?'\u2019/-]|_", spoken := spoken_form(text))
    }
    assert strange == {}
