"""Texts whose last word stood before and was followed by another one."""

from hypothesis import strategies as st

from clockhead.model.tokens import Vocabulary

USUAL = ("the", "cat", "sat", "on", "the", "mat", "and", "the", "cat")


@st.composite
def riddles(draw, letters="abcdefgh"):
    """3 to 11 words; the last one stands inside, before a word that is another."""
    query, other = draw(st.permutations(letters))[:2]
    before, after = (draw(st.lists(st.sampled_from(letters), max_size=4)) for _ in range(2))
    return (*before, query, other, *after, query)


def begun(words):
    tokens = ("BOS", *words)
    return tokens, Vocabulary.of(tokens)
