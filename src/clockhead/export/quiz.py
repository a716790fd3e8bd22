"""Quizzes: a question of the film with answers to choose from, on pages and in decks.

`assets/quiz/` has their markup, style and script. The player of a page asks at every stop whether
something holds the film there; a quiz does, until an answer is chosen or the viewer goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clockhead.export.edition import EditionShot, slug
from clockhead.production.timeline import BeatSpan
from clockhead.storyboard.resolved import Quiz

QUIZ_TEXTS = {
    "choose": ("Choose an answer.", "Wählen Sie eine Antwort."),
    "is_right": ("Right.", "Richtig."),
    "is_wrong": ("Not this one. Right is:", "Diese nicht. Richtig ist:"),
    "go_on": ("Go on", "Weiter"),
    "answers": ("Answers", "Antworten"),
}
"""Texts of a page, in English and German."""


@dataclass(frozen=True, slots=True)
class PageQuiz:
    """A quiz as templates show it."""

    id: str
    """`sub_diagonal-softmax`, for elements of a page."""
    at: str
    """The address of the player's stop that it holds: `sub_diagonal/softmax/question`."""
    question: str
    answers: Sequence[str]
    right: int
    """Counted from 0."""


def answer_lines(quiz: Quiz | PageQuiz | None) -> list[str]:
    """The answers as lines of a speaker's notes; none without a quiz."""
    if quiz is None:
        return []
    marks = ("[ ]", "[x]")
    return [f"{marks[n == quiz.right]} {answer}" for n, answer in enumerate(quiz.answers)]


def quiz_at(shot: EditionShot, beat: BeatSpan, first: int) -> PageQuiz | None:
    """The quiz at the question of a beat, which is asked from frame `first` on; None without one.

    The question of a beat that says the caption is all of this beat: the next one answers it.
    """
    key = beat.name.replace(" ", "_")
    quiz = shot.resolved.quizzes.get(key)
    if quiz is None:
        return None
    end = beat.first if beat.question is not None else beat.last + 1
    address = f"{shot.id}/{slug(beat.name)}"
    return PageQuiz(
        id=f"{shot.id}-{slug(beat.name)}",
        at=address if beat.question is None else f"{address}/question",
        question=" ".join(shot.sentences_in(first, end)),
        answers=quiz.answers,
        right=quiz.right,
    )
