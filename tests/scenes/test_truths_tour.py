"""All that the tour says is so, for legal inputs of all kinds.

What it says of clocks, notes and letters is held against the formulas of the films that it is a
tour of: `test_truths_previous_token`, `truths_induction` and `truths_caesar`. Nothing is asked of
`model` or a stage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.scenes.stage import StageInputs, find_stage
from tests.model.riddles import riddles
from tests.scenes import old_caesar as caesar
from tests.scenes import old_induction as induction
from tests.scenes import old_previous_token as clocks
from tests.scenes.old_telling import (
    Check,
    FilmTruths,
    Inputs,
    Said,
    is_share,
    legal,
    nothing_to_check,
    those_taken,
)
from tests.scenes.staging import play
from tests.scenes.truths_induction import TEXTS as RIDDLES

_FREE = nothing_to_check("a question, a definition, or what is done")
_NEARLY_ALL = 0.9


# What the other films' formulas take


def _follower(words: list[str]) -> int:
    """The position, BOS counted, at which the last word was first followed by another."""
    return next(k + 2 for k, (a, b) in enumerate(pairwise(words)) if a == words[-1] != b)


def _clocked(inputs: Inputs) -> Any:
    """The same text with BOS, the position that asks, and a head of width 32."""
    alpha = float(getattr(inputs, "alpha", 1.0))
    m = _follower(inputs.text.split())
    return SimpleNamespace(text=f"BOS {inputs.text}", m=m, alpha=alpha, d_head=32, base=1e4)


def _by_clocks(table: Mapping[str, Check], *templates: str) -> dict[str, Check]:
    """Sentences of that film about this text."""

    def moved(check: Check) -> Check:
        return lambda inputs, said: check(_clocked(inputs), said)

    return {template: moved(table[template]) for template in templates}


def _asks(inputs: Inputs, said: Said) -> bool:
    return clocks.asks(_clocked(inputs), said)


def _target(inputs: Inputs, said: Said) -> bool:
    text = clocks.Told(_clocked(inputs))
    return said["target"] == text.name(text.m - 1)


def _head(inputs: Inputs) -> induction.Head:
    tokens = ["BOS", *inputs.text.split()]
    return induction.Head(tokens, getattr(inputs, "alpha", 10.0), getattr(inputs, "beta", 10.0))


def _code(word: str, inputs: Inputs) -> str:
    return caesar.turned(word, inputs.rotation)


# What is said


def _is_ahead(inputs: Inputs, said: Said) -> bool:
    """At alpha 1 the target's score is so far ahead, and its share so many times the next one's."""
    text = clocks.Told(_clocked(inputs))
    best, next_one = sorted(text.sums(text.m).tolist())[:-3:-1]
    lead, times = best - next_one, np.exp(best) / np.exp(next_one)
    return said["lead"] == f"{lead:.2f}" and said["times"] == f"{times:.1f}"


def _is_copied(inputs: Inputs, said: Said) -> bool:
    head = _head(inputs)
    return head.followers == [said["word"]] and head.out[said["word"]] >= _NEARLY_ALL


def _copied_in_code(inputs: Inputs, said: Said) -> bool:
    """The same head over the coded words finds the coded note, and copies the coded word."""
    words = [_code(word, inputs) for word in inputs.text.split()]
    head = induction.Head(["BOS", *words], inputs.alpha, inputs.beta)
    answers = "answer" not in said or head.followers == [said["answer"]]
    return said["typed"] == words[-1] == head.typed and answers and head.mass >= _NEARLY_ALL


def _counts(inputs: Inputs, _: Said) -> bool:
    """With all scores alike, what comes out are the shares of all tokens."""
    tokens = ["BOS", *inputs.text.split()]
    out = induction.Head(tokens, inputs.alpha, 1e-9).out
    return all(abs(out[w] - n / len(tokens)) < 1e-6 for w, n in Counter(tokens).items())


def _far_between(inputs: Any) -> bool:
    """The fastest hand is upright again within seven steps, the slowest hardly moves on the way."""
    speeds = inputs.base ** (-np.arange(0, inputs.d_head, 2) / inputs.d_head)
    return bool(2 * np.pi / speeds[0] < 7 and len(inputs.text.split()) * speeds[-1] < 0.01)


def _best(inputs: Inputs) -> list[int]:
    """The rotations that score most for the whole text in code."""
    return caesar.firsts(caesar.scores_of(_code(inputs.text, inputs)))


def _leads(inputs: Inputs, said: Said, at_least: int) -> bool:
    """The first of those that score most is found, and there are so many, or exactly one."""
    best = _best(inputs)
    return int(said["found"]) == best[0] and (len(best) == 1 if at_least == 1 else len(best) > 1)


def _misled(inputs: Inputs) -> int:
    """The most first characters for which another rotation scores no less than the true one."""
    cipher = _code(inputs.text, inputs)
    read = [
        caesar.firsts(caesar.scores_of(cipher[:k])) == [inputs.rotation]
        for k in range(1, len(cipher) + 1)
    ]
    return max((k for k, is_so in enumerate(read, 1) if not is_so), default=0)


def _fits_no_worse(inputs: Inputs, said: Said) -> bool:
    first = _code(inputs.text, inputs)[: _misled(inputs)]
    n = len(first.replace(" ", ""))
    named = ("letter", "fits") if n == 1 else (f"{n} letters", "fit")
    leaders = caesar.firsts(caesar.scores_of(first))
    rivals = [str(r) for r in leaders if r != inputs.rotation]
    how = "no worse" if inputs.rotation in leaders else "better"
    told = said["n"], said["fit"], said["rival"], said["how"]
    return n > 0 and told == (*named, rivals[0], how)


def _n_matches(inputs: Inputs) -> int:
    return len(_head(inputs).matches)


_SHIFTED = "Only distance counts: each row is the one above, one cell on."
_ADDED = "Add them all up: the dot product tells how well the two fit."
_RIDDLE = {
    key.replace("A head that", "A machine that"): check
    for key, check in induction.IDEA.items()
    if not key.startswith("It takes")
}

TRUTHS: dict[str, dict[str, Check]] = {
    "tour.riddle": _RIDDLE
    | {"How can it look one word further, with nothing but numbers? By attention.": _FREE},
    "tour.clocks": {
        "RoPE: every token gets a clock": _FREE,
        "How can {asker} know what came before it?": _asks,
        "A word says nothing of its place. So its place turns clock hands, and they are its key.": (
            _FREE
        ),
        "{asker} asks for the time one step ago: that is its query.": _asks,
        "Whose clock shows this time?": _FREE,
        "That of {target}, right before it.": lambda inputs, said: clocks._hand_for_hand(
            _clocked(inputs), said
        ),
        "All ask like that, and all but the first find the token right before them.": (
            lambda inputs, _: clocks.Told(_clocked(inputs)).all_find(1)
        ),
    },
    "tour.stacks": {
        "How alike are two clocks?": _FREE,
        "Hold the query upright: each key's hands show its steps from {target}.": _target,
        "A fast hand comes round again, a slow one hardly moves: only many together can tell.": (
            lambda inputs, _: _far_between(_clocked(inputs))
        ),
        "Such a sum is a dot product. Only for {target} do all hands stand upright.": (
            lambda inputs, said: clocks._all_upright(_clocked(inputs), said)
        ),
    }
    | _by_clocks(
        clocks.SCORE_AS_CLOCK_SUM,
        "How well does the query of {asker} fit each key?",
        "Each hand adds its height, and a hand below the middle takes away.",
    ),
    "tour.line": {
        "Softmax makes shares that add up to one in each row: how much it looks at every column.": (
            _FREE
        ),
        "Only distance counts: each row is the one above, one cell on. No one looks ahead.": (
            lambda inputs, said: clocks.SUB_DIAGONAL[_SHIFTED](_clocked(inputs), said)
        ),
        "A lead of {lead} makes a share {times} times as large as the next. A knob α multiplies "
        "every lead.": _is_ahead,
    }
    | _by_clocks(
        clocks.SUB_DIAGONAL,
        "One step below the diagonal",
        "Where does each token look?",
        "The stacks become a row: how well each key fits {asker}.",
        "The token before is ahead in every row that has one, but it is no line yet.",
        "Every row but the first gives the token before more than half: a blurred line.",
        "Every row but the first finds the token before it: a clear line.",
    ),
    "tour.notes": {
        "A note of the word before": _FREE,
        "What does {asker} get where it looks?": _asks,
        "All do it at once: that is the previous-token head. BOS, the start, notes itself.": (
            lambda inputs, _: _head(inputs).worst >= _NEARLY_ALL
        ),
        "Now each knows two words: its own, and in its note the one before it.": _FREE,
    }
    | _by_clocks(
        clocks.COPY_VALUE,
        "Each cell is a path for a value: the more attention, the broader.",
        "What reaches {asker} is {target}, and almost nothing else.",
        "What reaches {asker} is mostly {target}, with some of the rest.",
    ),
    "tour.answer": {
        "Who noted “{typed}”?": induction.typed,
        "A layer later, the induction head: the last token asks the notes.": _FREE,
        "Without notes, “{typed}” would find only “{again}”. So notes must come first: they are "
        "the keys.": lambda inputs, said: (
            said["typed"] == said["again"] == _head(inputs).typed
            and induction.Told(inputs).echo() >= _NEARLY_ALL
        ),
        "Words are vectors, too. Their dot product, times β, is nearly {beta} where the note is "
        "the word, else far less.": (induction.told(induction._scores_tell)),
        "And again shares: {mass} goes to whoever noted “{typed}”.": induction.told(
            lambda text, said: is_share(said["mass"], text.head.mass)
        ),
        "What stands there is copied: “{word}”. Both heads together are an induction circuit.": (
            _is_copied
        ),
        "What stands there is copied, each with its share. Both heads together are an induction "
        "circuit.": lambda inputs, _: len(set(_head(inputs).followers)) > 1,
    },
    "tour.code": {
        "The same text, in a Caesar cipher": _FREE,
        "Must it understand the words?": _FREE,
        "Let us turn every letter by 0 places: it stays what it is.": (
            lambda inputs, _: inputs.rotation == 0
        ),
        "Turn every letter by 1 place. Can you still read it?": (
            lambda inputs, _: inputs.rotation == 1
        ),
        "Turn every letter by {r} places. Can you still read it?": (
            lambda inputs, said: int(said["r"]) == inputs.rotation > 1
        ),
        "What will it say comes next?": _FREE,
        "“{answer}”: the note “{typed}” is found as before. No word has to mean anything.": (
            _copied_in_code
        ),
        "Whoever notes “{typed}” is found as before. No word has to mean anything.": (
            _copied_in_code
        ),
        "The head continues a text it cannot read. Could a machine read it as well?": (
            lambda inputs, _: inputs.rotation > 0
        ),
        "The same as before, for nothing has changed.": lambda inputs, _: inputs.rotation == 0,
        "Turned by any other number of places, it would say the same, turned as far.": (
            lambda inputs, said: (
                inputs.rotation == 0
                and all(
                    _copied_in_code(
                        inputs.model_copy(update={"rotation": r}),
                        {
                            "typed": _code(
                                inputs.text.split()[-1], inputs.model_copy(update={"rotation": r})
                            )
                        },
                    )
                    for r in (1, 13, 25)
                )
            )
        ),
    },
    "tour.letters": {
        "What can be counted": _FREE,
        "What does the code not hide?": _FREE,
        "A head looking at all {n} places alike, spaces too, counts: each letter adds 1/{of}.": (
            lambda inputs, said: said["n"] == said["of"] == str(len(inputs.text))
        ),
        "In English, “{most}” comes {share} of the time, “{least}” hardly ever.": (
            caesar.told(caesar._lopsided)
        ),
        "All letters moved along as far, and their bars with them. How far must English slide to "
        "fit best?": (lambda inputs, _: inputs.rotation > 0),
        "Nothing was turned, so no bar has moved. Could a machine tell?": (
            lambda inputs, _: inputs.rotation == 0
        ),
    },
    "tour.alphabets": {
        "{n} alphabets, {again} dot products": lambda inputs, said: (
            said["n"] == said["again"] == str(len(caesar.ALPHABET))
        ),
        "Which of them fits?": _FREE,
        "Multiply the two heights at every letter: here at “{letter}”.": caesar.told(
            caesar._largest
        ),
        "Rotation {found} scores most. So turn every letter back by {back}.": (
            lambda inputs, said: said["found"] == said["back"] != "0" and _leads(inputs, said, 1)
        ),
        "Rotation {found} scores most, so every letter stays as it is.": (
            lambda inputs, said: said["found"] == "0" and _leads(inputs, said, 1)
        ),
        "No other scores more than rotation {found}. So turn every letter back by {back}.": (
            lambda inputs, said: said["found"] == said["back"] != "0" and _leads(inputs, said, 2)
        ),
        "No other scores more than rotation {found}, so every letter stays as it is.": (
            lambda inputs, said: said["found"] == "0" and _leads(inputs, said, 2)
        ),
        "That is right, but rotation {other} scores the same: only a long text is like English.": (
            lambda inputs, said: (
                _best(inputs)[0] == inputs.rotation and int(said["other"]) in _best(inputs)[1:]
            )
        ),
        "But that is wrong. The true one, {true}, {scores}: only a long text is like English.": (
            lambda inputs, said: (
                _best(inputs)[0] != inputs.rotation == int(said["true"])
                and said["scores"]
                == ("scores the same" if inputs.rotation in _best(inputs) else "scores less")
            )
        ),
        "Add them up: a dot product, as of query and key, tells how well they fit.": (
            caesar.DOT_PRODUCTS[_ADDED]
        ),
        "Even its first letter tells, but by luck: only a long text is like English.": (
            lambda inputs, _: _misled(inputs) == 0
        ),
        "Its first {n} alone {fit} rotation {rival} {how}: only a long text is like English.": (
            _fits_no_worse
        ),
    }
    | {
        template: caesar.DOT_PRODUCTS[template]
        for template in ("Slide English on, and add up again: a bar for every rotation.",)
    },
    "tour.attention": {
        "From copying to counting": _FREE,
        "Can one head do both?": _FREE,
        "The head of the notes gave nearly all to one word, and copied it.": (
            lambda inputs, _: _n_matches(inputs) == 1 and _head(inputs).mass >= _NEARLY_ALL
        ),
        "The head of the notes gave most to a few words, and copied them.": (
            lambda inputs, _: _n_matches(inputs) > 1 and _head(inputs).mass >= _NEARLY_ALL
        ),
        "Its scores turned down, it looks at all words alike, and counts how often each came.": (
            _counts
        ),
        "A place, a note or nothing decided where to look. All add up values by their shares.": (
            _FREE
        ),
        "Here every number was set by hand. What do heads look for that have learned?": _FREE,
    },
}


def _finds(inputs: Inputs) -> bool:
    return _head(inputs).mass >= _NEARLY_ALL


def _notes(inputs: Inputs) -> bool:
    return _head(inputs).worst >= _NEARLY_ALL


CLAIMS: dict[str, dict[str, Callable[[Inputs], bool]]] = {
    "tour.riddle": {
        "a head that looks for its own token finds it": (
            lambda inputs: induction.Told(inputs).echo() >= _NEARLY_ALL
        )
    },
    "tour.notes": {"every note holds the token before it": _notes},
    "tour.answer": {
        "every note holds little else than the token before it": _notes,
        "the matching notes get nearly all of the attention": _finds,
    },
    "tour.code": {
        "every note holds the token before it": _notes,
        "nearly all of the attention goes to the notes that match": _finds,
    },
    "tour.attention": {
        "turned up, nearly all of the attention goes to the notes that match": _finds,
    },
}
FILM = FilmTruths("tour", TRUTHS, CLAIMS)

_SCALES: list[dict[str, Any]] = [
    *({"alpha": alpha} for alpha in (0.01, 1.0, 3.0, 4.5, 1e4)),
    *({"beta": beta} for beta in (0.01, 4.0, 1e4)),
]
_ROTATIONS: list[dict[str, Any]] = [{"rotation": r} for r in (0, 1, 25)]
_LETTERS = [*(text for text in RIDDLES if text.replace(" ", "").isalpha()), "e d e"]
_TIED = [{"text": "e r r e", "rotation": r} for r in (0, 1, 13, 14)]
"""Two rotations score the same, the true one the first of them or not."""


def examples(name: str) -> list[StageInputs]:
    blurred = {"text": "q q b b q", "alpha": 4.0}
    return those_taken(
        name, [{}, blurred, *_SCALES, *_ROTATIONS, *_TIED, *({"text": text} for text in _LETTERS)]
    )


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    kind = find_stage(name).Inputs
    fields = {
        "text": riddles().map(" ".join),
        "rotation": st.integers(0, 25),
        "alpha": st.sampled_from([4.0, 10.0, 100.0]),
        "beta": st.sampled_from([5.0, 10.0, 100.0]),
    }
    known = {key: value for key, value in fields.items() if key in kind.model_fields}
    return st.fixed_dictionaries(known).map(lambda given: legal(kind, given))


def test_every_stage_of_the_film_has_its_truths() -> None:
    assert FILM.knows_every_stage()


@pytest.mark.parametrize("name", TRUTHS)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str) -> None:
    assert FILM.unmet(name, examples(name), drawn(name), 30) == []


@pytest.mark.parametrize("text", ["The cat sat on the cat", "a1 b a1", "the-cat sat the-cat"])
def test_texts_whose_letters_cannot_be_counted_are_refused(text: str) -> None:
    for name in TRUTHS:
        assert those_taken(name, [{"text": text}]) == []


# What stands in the pictures


def played(name: str, **given: Any) -> Any:
    stage = find_stage(name)
    return play(stage, stage.shot(stage.Inputs(**given)))


@pytest.mark.parametrize("rotation", [0, 1, 7])
def test_the_code_is_written_into_all_tiles_and_notes(rotation: int) -> None:
    scene = played("tour.code", rotation=rotation)
    words = ["on", "the", "mat", "the", "cat", "sat", "and", "the", "cat"]
    coded = [caesar.turned(word, rotation) for word in words]
    assert [tile.label.text for tile in scene.tiles.tiles] == ["BOS", *coded, coded[5]]
    notes = [tile.note.word for tile in scene.tiles.tiles if tile.note]
    assert notes == ["BOS", "BOS", *coded[:-1]]
    assert scene.message.text == " ".join(coded)
    assert scene.message in scene.mobjects
    assert scene.tiles not in scene.mobjects


def test_letters_leave_their_tiles_from_where_they_stand() -> None:
    """A letter of the message lies on the same letter of its word, and is as large."""
    scene = played("tour.code", rotation=0)
    cells = scene.cells
    for k, tile in enumerate(scene.tiles.tiles[1:10]):
        start = sum(len(word) + 1 for word in scene.values.turned[0][1 : k + 1])
        across = cells.middles[start : start + len(tile.label.text), 0]
        assert (np.diff(across) > 0).all()
        assert tile.corners[0][0] < across[0] < across[-1] < tile.corners[1][0]
        assert_allclose(np.mean([across[0], across[-1]]), tile.middle[0], atol=0.1)
        assert_allclose(cells.middles[start, 1], tile.middle[1])
        assert_allclose(cells.size, tile.state[4])


def test_the_message_is_read_at_the_end() -> None:
    text = "here the cat sees me and then the cat"
    scene = played("tour.alphabets", text=text, rotation=12)
    assert scene.message.text == text
    assert [scene.message.labels[k].text for k, c in enumerate(text) if c != " "] == list(
        text.replace(" ", "")
    )


def test_the_knob_is_turned_up_again() -> None:
    scene = played("tour.attention")
    assert_allclose(scene.knob.state, 10)
    assert_allclose(scene.bars.state, scene.values.rows[0])
    assert scene.card in scene.mobjects
