"""The last word's query meets the keys of all words: dot products, scores, attention weights."""

from __future__ import annotations

from typing import ClassVar

from manim import LaggedStart

from clockhead.scenes.attention.arrows import AngleMark, NamedPlane, PlaneArrow
from clockhead.scenes.attention.share_bar import ShareBar
from clockhead.scenes.attention.topic import KEY_NAMES, KEYS, SIZE, WORDS, TopicStage
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.stage import CAPTION, REST, Claim, Column, Handle, Steps, beat, fit
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import text_width

_LARGE = 44.0
"""Size of the vectors' numbers, in pixels at 720p."""
_DOT = [
    ("a", "query({a:.2g}) times"),
    ("c", "key({c:.2g}) +"),
    ("b", "\\(query({b:.2g})\\) times"),
    ("d", "key({d:.2g}) ="),
    ("s", "score({s:.2f})"),
]


def _vectors(asks: str, offers: str) -> list[tuple[str, str]]:
    """The terms of a query and a key, with these subscripts."""
    return [
        ("query", f'query("query"{asks} = vec({{a:.2g}}, {{b:.2g}}))'),
        ("key", f'quad key("key"{offers} = vec({{c:.2g}}, {{d:.2g}}))'),
    ]


class Ask(TopicStage):
    """A query meets three keys; how well each key fits becomes its attention weight."""

    title = "Which word to listen to?"
    caption = "These shares are attention weights: “{word}” gets {first.topic_weight:.0%}."
    opens = ("tiles", "plane", "noun")
    leaves = ("tiles", "keys_plane", "query", "first_key", "topic_key", "own_key", "shares")
    claims: ClassVar[tuple[Claim, ...]] = (
        *TopicStage.claims,
        Claim(
            "the topic's key fits best, and the article's key worst",
            lambda both: both.first.scores.argsort().tolist() == [0, 2, 1],
            "the topic gets {first.topic_weight:.0%}",
        ),
    )

    handles = (Handle("strength", "0.6:1.2:0.1"),)

    def layout(self) -> None:
        self.make_page(*WORDS, self["features"][:2])
        self.tiles.look([2], "query")
        names = self["first.tokens"]
        self.noun = PlaneArrow(self["asker"], self.plane, "query", names[2], turned=60)
        self.keys_plane = plane = NamedPlane(KEY_NAMES, *KEYS)
        plane.place(self.plane_room)
        self.query = PlaneArrow(self["first.query_arrow"], plane, "query", names[2])
        keys = [
            PlaneArrow(self["first.key_arrows"][k], plane, "key", names[k], turned=turned)
            for k, turned in enumerate((-70.0, 0.0, 0.0))
        ]
        self.first_key, self.topic_key, self.own_key = self.keys = keys
        self.angle = AngleMark(self["first.angles"][1], plane, self["first.query"].array, 0.5)
        scores = self["first.scores"]
        self.chart = Chart(self._scale(), slots(names, down=True), size=SIZE)
        self.bars = Bars(scores, self.chart, "score", spec=".2f", size=SIZE, grown=False)
        self.bars.beside = text_width("-00.00", SIZE) + 0.2
        self.chart.place(self.side)
        self._lay_numbers()
        self.shares = ShareBar(self["first.weights"], names, lit=1)
        self.shares.place(self.bar_room)

    def _lay_numbers(self) -> None:
        """Make the numbers of the query and of the best key, and their dot product."""
        query, key = self["first.query"], self["first.keys"][1]
        values = {"a": query[0], "b": query[1], "c": key[0], "d": key[1]}
        values["s"] = self["first.scores"][1]
        asks, offers = (f'_"{self.values.first.tokens[k]}"' for k in (2, 1))
        self.dot, *ways = (
            Equation(terms, values=values, size=_LARGE)
            for terms in (_DOT, _vectors(asks, offers), _vectors("", ""))
        )
        self.vectors = ways[fit(self.side, *(Column(way, self.dot) for way in ways))]
        self.vectors.hide()
        self.dot.hide()

    def _scale(self) -> Scale:
        """A scale for both scores and their exponentials: bars change from one to the other."""
        first = self.values.first
        return Scale(min(0.0, float(first.scores.min())), float(first.raised.max()))

    @beat(
        "How does “{noun}” know which word to listen to? From its vector, each word makes two more."
    )
    def two(self) -> Steps:
        yield self.noun.grow(run_time=0.6 * self.reading)

    @beat("A query says what a word is looking for. “{noun}” is looking for a topic.")
    def ask(self) -> Steps:
        yield FadeOut(self.plane, run_time=0.6)
        self.remove(self.noun)
        self.add(self.query)
        turned = self.query.move_from(self.noun, run_time=1.6)
        yield turned, FadeIn(self.keys_plane, run_time=1.6)
        yield self.vectors.appear("query")

    @beat("A key says what a word has to offer: “{word}” offers a topic, “{article}” only grammar.")
    def offer(self) -> Steps:
        yield paint(self.tiles, [0, 1], "key")
        keys = self.topic_key, self.first_key, self.own_key
        yield keys[0].grow(run_time=1.2), self.vectors.appear("key", run_time=1.2)
        rest = (key.grow() for key in keys[1:])
        yield LaggedStart(*rest, lag_ratio=0.8, run_time=max(2.0, self.reading - 2.5))

    @beat(
        "How well do the two fit? The smaller the angle between them, and the longer they are, the "
        "larger is their dot product.",
        rest=REST,
    )
    def fit_(self) -> Steps:
        yield self.angle.open(run_time=1.2)
        yield self.dot.appear(run_time=0.4 * self.reading)

    @beat("This dot product is the score of a word.")
    def score(self) -> Steps:
        self.angle.hide_number()
        yield FadeOut(self.vectors, self.dot, run_time=0.5)
        yield FadeIn(self.chart, run_time=0.6)
        self.add(self.bars)
        yield self.bars.grow([1], run_time=0.8)
        for k in (2, 0):
            yield self.angle.to(self["first.angles"][k], run_time=1.2)
            yield self.bars.grow([k], run_time=0.8)

    @beat(
        "Softmax turns scores into shares. First it takes e to the power of each: now none is "
        "below zero."
    )
    def raise_(self) -> Steps:
        yield FadeOut(self.angle, run_time=0.4)
        yield self.bars.unwrite(run_time=0.3)
        yield self.bars.to(self["first.raised"], run_time=0.3 * self.reading)
        yield self.bars.write(range(3), ".2f")

    @beat("Then it divides by the sum. Laid end to end, the three are one whole.", rest=REST)
    def share(self) -> Steps:
        apart = self.bars.boxes
        yield self.bars.unwrite(run_time=0.3)
        self.add(self.shares)
        self.remove(self.bars)
        self.chart.marks.remove(self.bars)
        yield self.shares.join(apart, run_time=1.6), FadeOut(self.chart, run_time=0.6)

    @beat(CAPTION)
    def weigh(self) -> Steps:
        yield paint(self.tiles, 1, "attention")
