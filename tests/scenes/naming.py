"""What words and numbers on screen say of the values that they stand at.

A picture that is read back right may still have the wrong words: "dot product" over cosines, "read
right" at the texts that are read wrong, MB at gigabytes. Here the words are compared with what the
model says of the value: its path, its description and its unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from manim import config

from clockhead.scenes.parts.axis import Axis
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart, Mark
from clockhead.scenes.parts.curves import Dots, Rule, Trace
from clockhead.scenes.parts.figures import Figure, Readout
from clockhead.scenes.parts.stacks import Stacks
from clockhead.scenes.stage import Picture, Stage, Value
from clockhead.scenes.stage.paths import Facts
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.text import Label, Number, Tick
from clockhead.scenes.vectors.page import HeadedColumn
from tests.scenes.sights import box, gap, look

_TOKEN = re.compile(r"“(.*)”( at \d+)?")
NEAR, ABOUT_AS_NEAR = 2.0, 0.3
"""How far words may be from their value, and how much farther than the nearest, in units."""


@dataclass(frozen=True)
class Said:
    """Words, with "…" for a number, and the values that they may be about."""

    words: str
    values: tuple[Value, ...]


def value_of(picture: Any) -> Value:
    shown = picture.shown
    return shown if isinstance(shown, Value) else shown.end


def about(value: Value) -> str:
    """Its path with its index, its description and its unit."""
    steps = "".join(f"[{step_of(step)}]" for step in value.index)
    return f"{value.path}{steps} | {value.description} | {value.unit or ''}"


def is_known(scene: Stage, value: Value) -> bool:
    """Whether it is a value of the stage, and not a label."""
    try:
        scene[value.path]
    except KeyError:
        return False
    return True


def step_of(step: int | slice) -> str:
    """`3`, `0:4` or `::-1`."""
    if not isinstance(step, slice):
        return str(step)
    ends = ["" if n is None else str(n) for n in (step.start, step.stop, step.step)]
    return ":".join(ends).removesuffix(":")


def parts_of(scene: Stage) -> list[Any]:
    """All that is on screen, each piece once."""
    return list({id(m): m for mobject in scene.mobjects for m in mobject.get_family()}.values())


def said_at(scene: Stage) -> Iterator[Said]:
    """All words that can be seen, but for tokens, each with what it stands at."""
    for part in parts_of(scene):
        if isinstance(part, Figure) and is_visible(part.number):
            affixes = part.number.prefix, part.number.suffix
            if any(affixes):
                yield Said("…".join(affixes), (value_of(part),))
        elif isinstance(part, Readout) and is_visible(part):
            yield Said(part._words, (value_of(part),))
        elif isinstance(part, Rule) and part.figure is None and is_visible(part.label):
            yield Said(part.label.text, (value_of(part),))
        elif isinstance(part, HeadedColumn) and part.word and is_visible(part):
            yield Said(part.word, (value_of(part),))
        elif isinstance(part, Chart):
            yield from _at_axes(scene, part)
    if config.frame_width > 1.5 * config.frame_height:  # elsewhere parts stand too close together
        yield from _beside(scene)


def _at_axes(scene: Stage, chart: Chart) -> Iterator[Said]:
    """The titles of its axes, and names of slots that are no words of the model."""
    marks = [mark for mark in chart.marks if is_visible(mark)]
    for axis in (chart.x, chart.y):
        if axis.scaling.name and is_visible(axis.heading):
            values = [v for mark in marks for v in along(scene, mark, axis)]
            yield Said(axis.scaling.name, tuple(values))
        if isinstance(axis.scaling.names, Value):
            continue
        for label in filter(is_visible, axis._names):
            slot = axis._names.index(label)
            bars = [m for m in marks if isinstance(m, Bars | Stacks | Dots)]
            values = [value_of(m)[slot] for m in bars if slot < len(value_of(m))]
            yield Said(label.text, tuple(values))
            if axis is chart.x:
                over = _numbers_over(scene, chart, label)
                yield from (Said(label.text, (value,)) for value in over)


def _numbers_over(scene: Stage, chart: Chart, label: Label) -> Iterator[Value]:
    """The values of numbers that belong to no mark of a chart and stand over the name of a slot."""
    own = {id(piece) for mark in chart.marks for piece in mark.get_family()}
    area, half = chart.area, chart.x.pitch / 2
    for part in parts_of(scene):
        if isinstance(part, Figure) and id(part) not in own and is_visible(part.number):
            x, y, _ = part.number.middle
            if abs(x - label.middle[0]) < half and area.bottom < y < area.top + 1:
                yield value_of(part)


def along(scene: Stage, mark: Mark, axis: Axis) -> list[Value]:
    """What a mark measures along an axis: its value, or what it is drawn over."""
    is_across = axis is mark.chart.x
    if isinstance(mark, Rule):
        return [value_of(mark)] if is_across == mark._upright else []
    if is_across == bool(mark.chart.y.scaling.names):
        return [value_of(mark)]
    if isinstance(mark, Trace | Dots):
        arrays = scene.arrays(scene.values)
        return [scene[p] for p, a in arrays.items() if np.array_equal(a, mark.x)]
    value = value_of(mark)
    return [Value(f"place in {value.path}", value.content, value.description, None, value.index)]


def _beside(scene: Stage) -> Iterator[Said]:
    """Words that belong to no picture, at the one that they are nearest to."""
    sight = look(scene)
    pictures = [(box(part), part) for part in sight.pictures if is_known(scene, value_of(part))]
    tokens = set(strings(scene.values))
    for word in sight.words:
        is_own = id(word) in sight.owners or isinstance(word, Number)
        if is_own or not isinstance(word, Label) or _TOKEN.sub(r"\1", word.text) in tokens:
            continue
        near = sorted((gap(edges, box(word)), k) for k, (edges, _) in enumerate(pictures))
        if near and near[0][0] < NEAR:
            close = [k for distance, k in near if distance <= near[0][0] + ABOUT_AS_NEAR]
            yield Said(word.text, tuple(value_of(pictures[k][1]) for k in close))


def strings(values: Any, depth: int = 4) -> Iterator[str]:
    """Every text among values."""
    if isinstance(values, str):
        yield str(values)
    elif isinstance(values, tuple):
        for one in values:
            yield from strings(one, depth)
    elif depth and hasattr(values, "__dataclass_fields__"):
        for name in values.__dataclass_fields__:
            yield from strings(getattr(values, name, None), depth - 1)


# What words may stand at

MEANINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "": (
        (r"…°", r"degrees"),
        (r".*\bGB", r"\bGB\b"),
        (r"… times|× …|… ×", r"factor$"),
        (r"(.*: )?rotation …", r"places in the alphabet$|predictions|leaders"),
        (r"step …|steps of training", r"\bsteps\b|moments"),
        (r"loss( …)?", r"\bloss|nats$|^costs"),
        (r"characters", r"characters?$|lengths"),
        (r"… of [\d,]+", r"^n_\w+"),
        (r"rotation", r"rotation|shares|twice|scores"),
        (r"read right", r"accurac"),
        (r"attention …", r"attention .*share$"),
        (r"τ = …", r"temperature"),
        (r"α = …", r"^[\w.]*\balphas?\b"),
        (r"β = …", r"^[\w.]*\bbetas?\b"),
        (r"γ = …", r"^[\w.]*\bgammas?\b"),
        (r"ε = …", r"^epsilons"),
        (r"k = …", r"^steepnesses"),
        (r"h = …", r"\bhalf\b"),
        (r"m = …", r"position, from 0$|positions$"),
        (r"n − m = …", r"\bn - m\b"),
        (r"D = …|steps from the token before", r"past_target"),
        (r"base = …", r"\bbase\b"),
        (r"\d+ of \d+|hands", r"tokens|phases|degrees"),
    ),
    "ablation.looks": ((r"moved by its silence", r"^all_effects"),),
    "ablation.isolation": (
        (r"X", r"resids\[0\]"),
        (r"layer (\d+)", r"resids\[<1+1>\]"),
        (r"distance", r"^moves|resids"),
    ),
    "attention.scale": (
        (r"dot product", r"^spread\.(dots|roots)|^even"),
        (r"best of \d+ keys", r"largest_shares"),
    ),
    "caesar.arbitrary_embedding": ((r"numbers in a vector", r"^widths"),),
    "caesar.dot_products": ((r"= …", r"^dot_products"),),
    "caesar.how_much_text": (
        (r"dot products, at .*", r"^dot\b"),
        (r"commonest is e, at .*", r"^commonest\b"),
        (r"products, at .*", r"^log_likelihood"),
    ),
    "caesar.posterior": ((r"1 in 26", r"^even"),),
    "caesar.theorem": ((r"the same for all", r"\.level"),),
    "caesar.wheel": ((r"key", r"turns"),),
    "convolution.classify": ((r"score", r"score|pooled"),),
    "convolution.content": (
        (r"a filter's window at .*", r"\.window"),
        (r"an induction head's attention at .*", r"\.pattern"),
    ),
    "convolution.pool": (
        (r"feature map", r"\.feature_map|\.rectified"),
        (r"pooled", r"\.pooled"),
    ),
    "convolution.shifted": (
        (r"feature map", r"^rectified|^sums"),
        (r"score when moved to the right by", r"^place in evidence|^evidence"),
    ),
    "convolution.walk": ((r"filter", r"^weights"),),
    "errata.mask": (
        (r"softmax, then mask", r"^last\."),
        (r"mask, then softmax", r"^(first|last)\."),
    ),
    "errata.missing_one": (
        (r"its own token|the one before", r"^resid_mid"),
        (r"next token|nothing", r"^resid_post"),
        (r"scores", r"^scores_2"),
    ),
    "errata.ratios": ((r".* × .* = …", r"^due"),),
    "errata.rounding": ((r"right", r"^rounded"),),
    "errata.sums": ((r"printed sum", r"^printed"), (r"true sum", r"^total")),
    "errata.tables": ((r"output", r"^z\."), (r"\w+(, \w+)+", r"^likely\.")),
    "heads.beside": (
        (r"hand-built", r"^our"),
        (r"tokens back", r"^distances"),
        (r"mean score", r"_scores"),
    ),
    "heads.large": ((r"what is looked at|which token looks", r"^whole"),),
    "heads.scores": (
        (r"previous token", r"^previous"),
        (r"duplicate token", r"^duplicate"),
        (r"induction.*", r"^induction"),
    ),
    "heads.sheet": ((r"previous token|itself", r"^patterns"),),
    "induction.forward_pass": (
        (r"cur|the word", r"own_subspaces\[0\]"),
        (r"prev|its note", r"own_subspaces\[1\]"),
    ),
    "induction.lanes": ((r"query", r"phases|query"),),
    "induction.rank": (
        (r"… words", r"^crowd\.sizes"),
        (r"scores are multiplied by", r"^crowd\.betas"),
        (r"two numbers each", r"^crowd\.betas\[0:1\]\[0\]"),
        (r"\d+ numbers each", r"^crowd\.betas\[1:2\]\[0\]"),
    ),
    "kv_cache.again": (
        (r"No cache", r"^both_\w+(\[.*\])?\[0\] |^(?!both).*without a cache"),
        (r"The KV cache", r"^both_\w+(\[.*\])?\[1\] |^(?!both).*with a cache"),
    ),
    "kv_cache.memory": (
        (r"… bytes", r"^products\[[45]\]"),
        (r"… numbers", r"^products\[[0-3]\]"),
        (r"cache", r"^(sums\[:1\]|slivers|sums)\[0\]"),
        (r"weights", r"^(slivers|sums)\[1\]"),
        (r"\+ .* caches?", r"^(slivers|sums)\[2\]"),
    ),
    "kv_cache.prefill": (
        (r"step by step", r"^cached_pattern"),
        (r"all at once", r"^full_pattern"),
        (r"needed: …", r"^unmasked_numbers"),
        (r"kept key: …", r"^kept_number"),
    ),
    "kv_cache.shared": (
        (r"own", r"^caches\.gbs\[0\]"),
        (r"GQA", r"^caches\.gbs\[1\]"),
        (r"MQA", r"^caches\.gbs\[[12]\]"),
        (r"MLA", r"^caches\.gbs\[[23]\]"),
        (r"queries of .*|their keys and values", r"_places"),
        (r"one vector of …", r"latent_width"),
        (r", a key of …", r"rope_width"),
    ),
    "onehot.answer": ((r"last row", r"^(place in )?resid_post"),),
    "previous_token.key_clocks": ((r"a step", r"degrees$"),),
    "previous_token.constant_key": (
        (r"the opposite", r"^shadows\[1\]"),
        (r"\S+", r"^shadows\[0\]|^(?!shadows)"),
    ),
    "previous_token.token_dependent_key": (
        (r"how much of its word each key takes in", r"^strengths"),
        (r"gap × α = …", r"^tip_gain"),
        (r"words, for .*|position, for .*", r"^gains?\b|^lead\b"),
    ),
    "rope.frequencies": ((r"positions per turn", r"period"),),
    "rope.matrix": ((r"up|right", r"^product"),),
    "rope.word_before": ((r"the word before", r"^(back|way)\b"),),
    "rope.who_bites": ((r"was …", r"^words\.scores"),),
    "tour.alphabets": ((r"= …", r"^dot_products"),),
    "tour.attention": ((r"what comes out", r"^outputs"),),
    "tour.line": ((r"share of .*", r"attention weight"),),
    "tour.stacks": ((r"all up", r"^target_sum"),),
    "trained.clocks": (
        (r"mean score", r"^(scores|built|scores_then)"),
        (r"letters back", r"^place in (scores|built)"),
        (r"thin: by hand", r"^turns_written"),
    ),
    "trained.differences": (
        (r"letters that have come again", r"^again"),
        (r"what the right next letter gets", r"^\w+_right\b"),
    ),
    "trained.division": (
        (r"\d+\.(\d+): …", r"^back(\[.*\])?\[<1>\]"),
        (r"one letter back", r"^patterns"),
    ),
    "trained.heads": ((r"others", r"^patterns"),),
    "trained.losses": ((r"after “.*”", r"^guesses"),),
    "trained.repeats": ((r"to the same letter|one back|looks up|repeats", r"^patterns"),),
    "trained.side_by_side": (
        (r"head 0\.\d|the letter before", r"_first"),
        (r"head 1\.\d|what followed", r"_second"),
    ),
    "transformer_block.flow": ((r"\d+ × \d+ × \d+", r"resid|patterns"),),
    "transformer_block.lanes": ((r"layer", r"resid"),),
    "transformer_block.readout": (
        (r"row: … long", r"^lengths?\b"),
        (r"LayerNorm: … long", r"^(centred_|normed_)?length\b"),
    ),
    "transformer_block.stack": (
        (r"attention \d", r"resid_mid|resid_post|patterns"),
        (r"MLP \d", r"\.act\b"),
        (r"\d+ × \d+ × \d+", r"resid|patterns"),
        (r"… d²", r"^squares_"),
        (r"(\d?d) × (\d?d)", r"areas"),
        (r"million numbers", r"^budget"),
    ),
    "vectors.distance": ((r"(?!distance|cosine)\S+", r"^third"),),
    "vectors.keys": ((r"cosine", r"^dots\[(0|::-1)\]"),),
}
"""By stage, or for all: words, and what the path, the description or the unit of their value says.

These are for words that share none with their value, or that could be taken for another's. All
others share a word with what the model says of the value.
"""

_SMALL = frozenset(
    "the and for with its each all one out are not only what how they them that than".split()  # noqa: SIM905
)
_PAIRS = (("right", "wrong"), ("least", "most"), ("smallest", "largest"), ("before", "after"))
OPPOSITES = [*_PAIRS, *((b, a) for a, b in _PAIRS)]
_SIZES = re.compile(r"\d+( × \d+)+")


def stems(text: str) -> set[str]:
    words = re.findall(r"[^\W\d_]{3,}", text.lower().replace("_", " "))
    return {word.rstrip("s")[:5] for word in words} - _SMALL


def name_of(scene: Stage) -> str:
    """`rope.matrix` of the stage in `clockhead.scenes.rope.matrix`."""
    return ".".join(type(scene).__module__.split(".")[-2:])


def meanings(stage: str, words: str) -> list[str]:
    """What the tables say of a value with these words."""
    found = []
    for said, meant in (*MEANINGS[""], *MEANINGS.get(stage, ())):
        if match := re.fullmatch(said, words):
            one = match[1] or "" if match.groups() else ""
            after = f"{int(one) + 1}" if one.isdigit() else ""
            found.append(meant.replace("<1>", one).replace("<1+1>", after))
    return found


def fits(scene: Stage, words: str, value: Value) -> bool:
    """Whether words may be said of a value: as the table has it, or in words of its own."""
    if due := meanings(name_of(scene), words):
        return all(re.search(meant, about(value), re.IGNORECASE) for meant in due)
    if _SIZES.fullmatch(words):
        sizes = [int(n) for n in words.split(" × ")]
        if value.path == "areas":  # in squares as wide as the stream
            return bool(np.isclose(value.array, np.prod(sizes) / scene.values.d_model**2).any())
        return sizes == list(np.shape(value.content))
    if match := re.fullmatch(r"… of (\d+) off", words):
        table = value.path.removesuffix("n_wrong")
        return bool(scene[f"{table}n_numbers"].content == int(match[1]))
    if words.endswith(" …") and (token := words[:-2]) in set(strings(scene.values)):
        return token in tokens_of(scene, value)
    return bool(stems(words) & stems(about(value))) and not says_the_opposite(words, about(value))


def says_the_opposite(words: str, told: str) -> bool:
    """Whether one says "right" and the other nothing but "wrong"."""
    sides = (set(re.findall(r"[a-z]+", text.lower())) for text in (words, told))
    said, known = sides
    return any(a in said and b in known and a not in known for a, b in OPPOSITES)


def tokens_of(scene: Stage, value: Value) -> set[str]:
    """The tokens that an element of a value may be of: those at its place, in texts as long."""
    inside = value.path.rpartition(".")[0]
    found, whole = set[str](), scene[value.path].content
    for path in (f"{inside}.tokens".lstrip("."), "tokens", "other.tokens"):
        with suppress(KeyError):
            tokens = scene[path].content
            if value.index and isinstance(value.index[-1], int) and len(tokens) == len(whole):
                found.add(str(tokens[value.index[-1]]))
    return found


def misnamed(scene: Stage) -> Iterator[str]:
    """Words that are not about what they stand at, and two that could be exchanged."""
    said = [one for one in said_at(scene) if one.values and _HAS_WORDS.search(one.words)]
    for one in said:
        if not any(fits(scene, one.words, value) for value in one.values):
            yield f"“{one.words}” stands at {about(one.values[0])}"
    for one, other in combinations(said, 2):
        if _are_alike(one, other):
            continue
        if fits(scene, one.words, other.values[0]) and fits(scene, other.words, one.values[0]):
            names = about(one.values[0]), about(other.values[0])
            yield f"“{one.words}” and “{other.words}” could be exchanged, at " + " and ".join(names)


_HAS_WORDS = re.compile(r"[^\W\d_]{2}|…")


def _are_alike(one: Said, other: Said) -> bool:
    """Whether nobody would notice if their words were exchanged, or could not exchange them."""
    words = one.words, other.words
    are_numbers = ["…" in text for text in words]
    values = [{about(value) for value in said.values} for said in (one, other)]
    are_sizes = any(_SIZES.fullmatch(text) for text in words)
    is_same = words[0] == words[1] or bool(values[0] & values[1])
    return is_same or are_sizes or any(are_numbers) != all(are_numbers)


# Units

SIGNS: tuple[tuple[str, str], ...] = (
    (r"%|\bpercent\b", r"share|attention.*|factor on the token's vector"),
    (r"°|\bdegrees\b|\bGrad\b", r"degrees"),
    (r"\bGB\b", r"GB, 1e9 bytes"),
    (r"\bMB\b", r"MB, 1e6 bytes"),
    (r"\bnats\b", r"nats"),
    (r"\bbits\b", r"bits"),
    (r"\bmillion\b|\bMillionen\b", r"millions"),
    (r"× …|… ×|\btimes\b|\bmal\b", r"factor|factor on scores|score|count|positions"),
)
"""What is written at a number, and the units that its value may have then."""
AFTER: tuple[tuple[str, str], ...] = (
    *SIGNS,
    (r"positions|Positionen", r"positions.*|tokens"),
    (r"words|Wörtern?", r"tokens|positions|count"),
    (r"letters|Buchstaben", r"letters|characters|positions .*|places in the alphabet|rows|count"),
    (r"characters|Zeichen", r"characters"),
    (r"tokens|Token", r"tokens|count"),
    (r"numbers|Zahlen", r"coordinates|count"),
    (r"columns|Spalten", r"coordinates"),
    (r"rows|Zeilen", r"rows|tokens|coordinates"),
)
"""What a sentence may say right after a number, and the units of that number."""
BEFORE: tuple[tuple[str, str], ...] = (
    (r"[Rr]otation", r"places in the alphabet"),
    (r"[Pp]osition", r"position, from 0"),
)


def number_units(scene: Stage) -> Iterator[tuple[str, str | None, str]]:
    """All numbers that can be seen: how they are written, the unit and the name of their value."""

    def walk(part: Any, owner: Any) -> Iterator[tuple[str, str | None, str]]:
        owner = part if isinstance(part, Picture) else owner
        if isinstance(part, Number) and not isinstance(part, Tick) and is_visible(part):
            value = value_of(owner)
            yield f"{part.prefix}…{part.suffix} {part.spec.strip('+-')}", value.unit, about(value)
        for piece in part.submobjects:
            yield from walk(piece, owner)

    for mobject in scene.mobjects:
        yield from walk(mobject, None)
    for chart in (part for part in parts_of(scene) if isinstance(part, Chart)):
        for axis in (chart.x, chart.y):
            for mark in chart.marks:
                is_measured = isinstance(mark, Bars | Stacks | Dots | Trace | Rule)
                if is_measured and is_visible(mark) and (axis.standing or axis.scaling.name):
                    for value in along(scene, mark, axis)[:1]:
                        spec = axis.scaling.spec if axis.standing else ""
                        yield f"{axis.scaling.name} {spec}", value.unit, about(value)


def misunited(scene: Stage) -> Iterator[str]:
    """Numbers with a sign of a unit that is not that of their value."""
    for written, unit, name in number_units(scene):
        for sign, units in SIGNS:
            if re.search(sign, written) and not re.fullmatch(units, unit or ""):
                yield f"{written.strip()} is written at {name}"


_FACT = re.compile(r"(\w*) ?\{([\w.]+)(?::([^{}]*))?\}(°| ?\w+)?")


def misunited_facts(template: str, facts: Facts) -> Iterator[str]:
    """Facts in a sentence that are written with a unit which is not theirs."""
    for before, path, spec, after in _FACT.findall(template):
        if path not in facts or isinstance(facts[path], str):
            continue
        unit = facts.unit(path) or ""
        rules = [(after.strip(), AFTER), (before, BEFORE), ("%" * ("%" in spec), SIGNS)]
        for word, table in rules:
            for sign, units in table:
                if word and re.fullmatch(sign, word) and not re.fullmatch(units, unit):
                    yield f"{{{path}}} is a number of {unit or 'nothing'}, not of {word!r}"
