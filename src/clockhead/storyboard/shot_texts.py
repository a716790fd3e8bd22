"""The texts of a shot, the storyboard's and its stage's: facts are filled in, mistakes found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from clockhead.look import FilmLook
from clockhead.places import clockhead_command
from clockhead.plain import plain_text
from clockhead.scenes.facts import UnknownFact, facts_in, fill, misfits
from clockhead.scenes.language import Language, speaking, translated
from clockhead.scenes.stage import Stage, flaws, translations
from clockhead.scenes.stage.beats import beats_of
from clockhead.scenes.stage.furniture import too_large
from clockhead.scenes.stage.paths import Facts
from clockhead.scenes.style.layout import Region
from clockhead.storyboard.models import MAX_ANSWER, MAX_CAPTION, MAX_NOTES, MAX_TITLE, ShotSpec
from clockhead.storyboard.problems import Place, Problem, unknown_name
from clockhead.storyboard.resolved import Quiz
from clockhead.storyboard.texts import TextChecker, missing_letters
from clockhead.storyboard.yaml_reader import Tree


@dataclass
class ShotTexts:
    """Fills in the texts of one shot, each kind once, and adds what is wrong to `problems`."""

    tree: Tree
    index: int
    """Of the shot in the file."""
    spec: ShotSpec
    stage: type[Stage]
    values: Any
    facts: Facts
    language: Language
    look: FilmLook
    problems: list[Problem]

    def __post_init__(self) -> None:
        self.beats = {spec.key: spec for spec in beats_of(self.stage)}
        self.told = [key for key, spec in self.beats.items() if spec.told(self.values)]
        """Beats that are told for these values."""
        with speaking(self.language):
            lines = list(self.stage.templates_of(self.values, self.spec.words))
        self.asked = {name for name, (ask, _) in zip(self.told, lines, strict=True) if ask}
        """Beats that begin with a question."""
        self.templates = list(filter(None, chain.from_iterable(lines)))
        """All sentences but the caption."""

    def shown(self) -> dict[str, str]:
        """Title, question and caption, the storyboard's or else the stage's own."""
        texts = {}
        for name in flaws.TEXTS:
            longest = MAX_CAPTION if name == "caption" else MAX_TITLE
            if template := getattr(self.spec, name):
                texts[name] = self._fill(template, longest, name, part=name)
                continue
            with speaking(self.language):
                template = translated(getattr(self.stage, name, ""))
                texts[name], problems = TextChecker(self.facts).fill(template, longest)
            for problem in problems or size_problems(texts[name], name, self.look):
                flaw = translations.in_text(self.stage, name, problem, self.language)
                self.problems.append(Problem.of(flaw))
        return texts

    def lines(self) -> dict[str, dict[str, str]]:
        """The storyboard's own sentences and questions of beats that are told."""
        found: dict[str, dict[str, str]] = {"beats": {}, "asks": {}}
        for kind, texts in (("beats", self.spec.beats), ("asks", self.spec.asks)):
            for name, template in texts.items():
                if name not in self.beats:
                    self._report_key(unknown_name("beat", name, list(self.beats)), kind, name)
                elif kind == "beats" and self.beats[name].says_caption:
                    message = "this beat says the caption: give it as `caption` of the shot"
                    self._report_key(message, kind, name)
                elif name in self.told:
                    found[kind][name] = self._fill(
                        template, MAX_CAPTION, kind, name, part="sentence"
                    )
                else:
                    self._check_names(template, kind, name)
        return found

    def notes(self) -> dict[str, str]:
        """Notes for the speaker; those of beats that are not told are left out."""
        notes = {}
        for name, template in self.spec.notes.items():
            at = ("notes", name) if name else ("notes",)
            if name and name not in (*self.beats, "caption"):
                known = [*self.beats, "caption"]
                self._report_key(unknown_name("beat", name, known), *at)
            elif name in self.beats and name not in self.told:
                self._check_names(template, *at)
            else:
                filled = self._fill(template, MAX_NOTES, *at, is_drawn=False)
                notes[name] = "\n".join(map(plain_text, filled.split("\n")))
        return notes

    def quizzes(self) -> dict[str, Quiz]:
        """The quizzes at questions that are asked for these values."""
        quizzes = {}
        for name, given in self.spec.quiz.items():
            if name not in self.beats:
                self._report_key(unknown_name("beat", name, list(self.beats)), "quiz", name)
                continue
            if given.right > len(given.answers):
                message = f"right is {given.right}, and there are {len(given.answers)} answers"
                self._report([message], "quiz", name, "right")
            if name not in self.told:
                for number, template in enumerate(given.answers):
                    self._check_names(template, "quiz", name, "answers", number)
                continue
            if name not in self.asked:
                message = f"this beat asks nothing: give its question as `asks: {{{name}: ...}}`"
                self._report_key(message, "quiz", name)
            answers: list[str] = []
            for number, template in enumerate(given.answers):
                with speaking(self.language):
                    checker = TextChecker(self.facts, is_drawn=False)
                    filled, problems = checker.fill(template, MAX_ANSWER)
                text = plain_text(filled)
                if text and text in answers:
                    problems.append(f"this reads like answer {answers.index(text) + 1}: {text}")
                self._report(problems, "quiz", name, "answers", number)
                answers.append(text)
            quizzes[name] = Quiz(tuple(answers), given.right - 1)
        return quizzes

    def spoken(self) -> dict[str, str]:
        """The texts of `say`."""
        numbers = range(1, len(self.templates) + 1)
        names = ["question", *map(str, numbers), "caption"]
        spoken = {}
        for name, template in self.spec.say.items():
            if name in names:
                spoken[name] = self._fill(template, MAX_CAPTION, "say", name)
            else:
                command = clockhead_command("numbers", self.tree.file)
                hint = f"without this line `{command}` numbers them"
                self._report_key(f"{unknown_name('sentence', name, names)}; {hint}", "say", name)
        return spoken

    def check_stage(self, sayings: Iterable[flaws.Saying]) -> None:
        """Check formulas and letters of the stage's own beats."""
        for saying in sayings:
            with speaking(self.language):
                template = translated(saying.template)
                if misfits(template, self.facts):
                    continue
                found = TextChecker(self.facts).problems(template)
                found = found or size_problems(fill(template, self.facts), "sentence", self.look)
            place = Place(saying.file, saying.line, 1, saying.what)
            self.problems += (Problem.at(place, message) for message in found)

    def check_letters(self, sayings: Iterable[flaws.Saying]) -> None:
        """Check that there are fonts for all letters of the stage's own beats."""
        for saying in sayings:
            with speaking(self.language):
                text = fill(translated(saying.template), self.facts)
            place = Place(saying.file, saying.line, 1, saying.what)
            self.problems += (Problem.at(place, message) for message in missing_letters(text))

    def fact_names(self) -> tuple[str, ...]:
        """Facts that texts on screen name, in their order."""
        templates = (
            self.spec.title or self.stage.title,
            self.spec.question or self.stage.question,
            *self.templates,
            self.spec.caption or self.stage.caption,
        )
        named = (name for template in templates for name in facts_in(template, self.facts))
        return tuple(dict.fromkeys(named))

    def _fill(
        self, template: str, longest: int, *at: str, part: str = "", is_drawn: bool = True
    ) -> str:
        """A text of the storyboard with its facts; its formulas fit if it is a `part` of the frame.

        `at` is its path in the shot.
        """
        line = partial(self.tree.line, ("shots", self.index, *at))
        with speaking(self.language):
            text, problems = TextChecker(self.facts, is_drawn, line).fill(template, longest)
        if part and not problems:
            problems = size_problems(text, part, self.look)
        self._report(problems, *at)
        return text

    def _check_names(self, template: str, *at: str | int) -> None:
        """Check the facts of a beat that is not told: they may be missing, but not unknown."""
        for error in misfits(template, self.facts):
            if not (isinstance(error, UnknownFact) and is_declared(error.name, self.facts)):
                self._report([str(error)], *at)

    def _report(self, messages: Iterable[str], *at: str | int) -> None:
        place = self.tree.place(("shots", self.index, *at))
        self.problems += (Problem.at(place, message) for message in messages)

    def _report_key(self, message: str, *at: str) -> None:
        """Report a problem with a key, and not with its value."""
        place = self.tree.key_place(("shots", self.index, *at))
        self.problems.append(Problem.at(place, message))


def is_declared(name: str, facts: Facts) -> bool:
    """Whether the stage has a fact of this name, for these inputs or for others."""
    return name in facts.about or name in facts


def size_problems(text: str, part: str, look: FilmLook) -> list[str]:
    """What does not fit of a text that is drawn; `check`, `render` and the studio agree."""
    is_drawn = part in ("title", "question") or look.captions != "off"
    frame = Region.of(look.width, look.height)
    is_too_large = is_drawn and too_large(text, part, frame, look.own.logo(look.theme))
    return [f"its formulas are too large for {look.aspect}"] if is_too_large else []
