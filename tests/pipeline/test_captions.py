"""Captions: timed by frames, readable by other parsers, without any typesetting."""

import io
from datetime import timedelta
from itertools import pairwise
from types import SimpleNamespace

import av
import pytest
import srt
import webvtt
from hypothesis import given
from hypothesis import strategies as st

from clockhead.plain import plain_text
from clockhead.production.timeline import Chapter, Cue, subrip, transcript, wrap
from clockhead.production.timeline import webvtt as to_webvtt
from clockhead.scenes.stage import CaptionLine


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no maths here", "no maths here"),
        ("the angle $theta_i$ turns", "the angle θᵢ turns"),
        ("$R_(-k) dot q$", "R₋ₖ · q"),
        ("$sum_i cos(Delta theta_i) >= frac(d, 2)$", "∑ᵢ cos(Δ θᵢ) ≥ d/2"),
        ('$bold(q) -> "key"$', "q → key"),
        ("$key(k_n) = R_n bold(c)$", "kₙ = Rₙ c"),
        ("$A_1$ makes $Y^((1))$ of $Y^((0))$", "A₁ makes Y⁽¹⁾ of Y⁽⁰⁾"),
        ("$|h|^2 < 8 dot 10^(-17)$, $x_10$, $W_(-2)$", "|h|² < 8 · 10⁻¹⁷, x₁₀, W₋₂"),
        ("$R_m^top$ by $sqrt(d)$ and $sqrt(a + b)$", "Rₘᵀ by √d and √(a + b)"),
        ("$bold(W_(i j))$, $x^(n-1)$, $W_Q$", "Wᵢⱼ, xⁿ⁻¹, W_Q"),
        (r"it costs \$5", "it costs $5"),
        ("two\n  lines", "two lines"),
        ("Ω is $Omega$, λ is $lambda$", "Ω is Ω, λ is λ"),
        ("of $frac(a + b, 2)$ and $(a + b)/2$", "of (a + b)/2 and (a + b)/2"),
        ('$d_("head")$ and $d_"head"$', "d_head and d_head"),
        (r"\*so\* and $alpha betta x_ij \foo$ stay", r"\*so\* and $alpha betta x_ij \foo$ stay"),
        (r"\*so\* and \`so\`", "*so* and `so`"),
    ],
)
def test_maths_in_captions_becomes_plain_text(text, expected):
    assert plain_text(text) == expected


@given(st.lists(st.integers(1, 10_000), min_size=2, max_size=20), st.sampled_from([15, 30, 60]))
def test_cues_read_back_within_a_millisecond_of_their_frames(lengths, fps):
    edges = [sum(lengths[: n + 1]) for n in range(len(lengths))]
    cues = [Cue(a, b, "words") for a, b in pairwise(edges)]
    for cue, vtt in zip(cues, webvtt.from_buffer(io.StringIO(to_webvtt(cues, fps))), strict=True):
        assert vtt.start_in_seconds == cue.start // fps
        assert vtt.start == _clock(cue.start, fps)
        assert vtt.end == _clock(cue.end, fps)
    for cue, sub in zip(cues, srt.parse(subrip(cues, fps)), strict=True):
        assert abs(sub.start / timedelta(milliseconds=1) - 1000 * cue.start / fps) <= 0.5
        assert abs(sub.end / timedelta(milliseconds=1) - 1000 * cue.end / fps) <= 0.5


def _clock(frame, fps):
    seconds, rest = divmod(frame, fps)
    whole = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{whole}.{round(1000 * rest / fps):03}"


def test_text_that_looks_like_markup_stays_text():
    cue = Cue(0, 30, "if a < b & b --> c: <i>no</i>")
    [vtt] = webvtt.from_buffer(io.StringIO(to_webvtt([cue], 30)))
    assert vtt.raw_text.replace("\n", " ") == "if a &lt; b &amp; b --&gt; c: &lt;i&gt;no&lt;/i&gt;"
    [sub] = srt.parse(subrip([cue], 30))
    assert sub.content.replace("\n", " ") == "if a < b & b → c: \u2039i\u203ano\u2039/i\u203a"


@pytest.mark.parametrize(
    "text",
    [
        *("=1 <i> <b> z", "a < b and c > d", "< 0.1% but > 99.9%", "1 <2> 3", "a <b", "c> d"),
        *("{\\an8} up", "{y:i} leaning", "<font color=red>red", "x <!-- c --> y", "</script> z"),
    ],
)
def test_a_subrip_player_shows_text_that_looks_like_markup(text):
    written = subrip([Cue(0, 30, text)], 30)
    with av.open(io.BytesIO(written.encode()), format="srt") as file:
        [shown] = [sub.ass.decode() for packet in file.demux() for sub in packet.decode()]
    alike = text.maketrans("\u2039\u203a", "<>", "\N{WORD JOINER}")
    shown = shown.split(",", 8)[-1].translate(alike)
    assert shown.replace("\\N", " ") == text.replace("-->", "→")


def test_long_captions_are_broken_between_words():
    text = "every row puts at least 99.8% of its attention on the token just before it"
    broken = wrap(text).split("\n")
    assert " ".join(broken) == text
    assert max(map(len, broken)) <= 42


def test_the_transcript_says_when_each_shot_starts():
    shots = [SimpleNamespace(shot=SimpleNamespace(question=asked)) for asked in ("Why?", "")]
    film = SimpleNamespace(title="Film", credit="Author", shots=shots, look=SimpleNamespace(fps=30))
    parts = [
        Chapter(title, SimpleNamespace(frames=2000, lines=[CaptionLine(said, 9)]))
        for title, said in (("One", "So."), ("Two", "Then."))
    ]
    text = transcript(film, parts)
    assert text == "Film\nAuthor\n\n[0:00] One\nWhy?\nSo.\n\n[1:06] Two\nThen.\n"
