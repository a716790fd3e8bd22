"""What layer 2 makes of a text, in words: one match, several, none, or the first token itself."""

from __future__ import annotations

from model.onehot_induction import OneHotInduction
from scenes.facts import Fact, fill
from scenes.spelling import listed, named

_EVEN = {
    "unique": "Softmax: all to {matches}. Rows without one spread evenly.",
    "several": "Softmax: all to {matches}. Rows without one spread evenly.",
    "none": "Softmax: nothing matches {query}, so its row spreads evenly.",
    "first": "Softmax: all to {matches}. The first row had stored itself.",
}
_READ = {
    "unique": "The last row holds {predicted}: what came after {query} before.",
    "several": "The last row holds a share for each match.",
    "none": "The last row holds the share of every token so far.",
    "first": "The last row holds a share for each, {query} itself too.",
}
_MORAL = {
    "unique": "What followed {query} before follows it again: the head says {predicted}.",
    "several": "What followed {query} before follows it again, each token with its share of "
    "the {n_answers} matches.",
    "none": "As {query} is new, there is nothing to repeat: the head says how often each token "
    "has occurred.",
    "first": "With no BOS in front, {query} at the start counts as its own follower: "
    "one of {n_answers} matches is a false one.",
}


def told(head: OneHotInduction) -> dict[str, Fact]:
    """The facts that the sentences need, and the sentences `even`, `read` and `moral`."""
    n_answers = len(head.matches)
    facts: dict[str, Fact] = {
        "case": head.case,
        "query": named(head.tokens[-1]),
        "n_answers": n_answers,
        "found": "" if n_answers else " None has.",
        "matches": f"the {n_answers} matches" if n_answers > 1 else "the match",
        "predicted": listed([named(token) for token in head.leaders], "or"),
    }
    tales = {"even": _EVEN, "read": _READ, "moral": _MORAL}
    return {**facts, **{name: fill(tale[head.case], facts) for name, tale in tales.items()}}
