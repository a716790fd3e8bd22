"""Names of earlier versions: what storyboards written then call a fact, an input or a stage.

They are listed in `older_names.toml`. Stages know nothing of them: a fact is looked up by its
earlier name where a storyboard's own texts and expectations are filled in, and nowhere else.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Self

from clockhead.scenes.facts import Fact

if TYPE_CHECKING:
    from clockhead.scenes.stage import UnknownStage
    from clockhead.scenes.stage.paths import Declared, Facts

FILE = Path(__file__).with_name("older_names.toml")


@dataclass(frozen=True, slots=True)
class OlderNames:
    """What storyboards of earlier versions say of one stage."""

    facts: Mapping[str, str] = field(default_factory=dict)
    """Facts by their earlier names, and the paths at which they are now."""
    gone: Mapping[str, str] = field(default_factory=dict)
    """Inputs and facts that are no more, and what to write instead."""


@dataclass(frozen=True, slots=True)
class History:
    """Everything that was called otherwise before."""

    stages: Mapping[str, str]
    """Stages that are told elsewhere now, and the stages that tell them."""
    names: Mapping[str, OlderNames]
    """By stage."""

    @classmethod
    def read(cls, file: Path = FILE) -> Self:
        """The history that a file tells.

        Raises:
            TypeError: when a table holds something that it should not.
        """
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
        stages = tables.pop("stages", {})
        return cls(stages, {stage: OlderNames(**table) for stage, table in tables.items()})


@cache
def history() -> History:
    """The history of the stages there are."""
    return History.read()


def older_names(stage: str) -> OlderNames:
    """What older storyboards say of a stage."""
    return history().names.get(stage, OlderNames())


def suggestion(error: UnknownStage) -> str | None:
    """The stage that tells what another one told before, or else the one with the nearest name."""
    return history().stages.get(error.name) or next(iter(error.suggestions), None)


class StoryboardFacts(Mapping[str, Fact]):
    """A stage's facts as a storyboard may call them: by path, and by an earlier name too.

    Only the paths are listed.
    """

    def __init__(self, facts: Facts, older: OlderNames) -> None:
        self.gone = older.gone
        self._facts, self._earlier = facts, older.facts

    def __getitem__(self, name: str) -> Fact:
        return self._facts[self._path(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def __contains__(self, name: object) -> bool:
        return self._path(str(name)) in self._facts

    def of(self, facts: Facts) -> StoryboardFacts:
        """Another set of the stage's facts, by the same names."""
        return StoryboardFacts(facts, OlderNames(self._earlier, self.gone))

    def is_declared(self, name: str) -> bool:
        """Whether the stage has a fact of this name, for these values or for others."""
        return name in self or self._path(name) in self.about

    def unit(self, name: str) -> str | None:
        """The unit of a fact, if it has one."""
        return self._facts.unit(self._path(name))

    @property
    def about(self) -> Mapping[str, Declared]:
        """What is declared of each path."""
        return self._facts.about

    def _path(self, name: str) -> str:
        return self._earlier.get(name, name)
