"""Inputs with which shots are looked at besides their usual ones, as their films allow them.

Other counts of heads, jumps, tokens and matches: what is drawn for them is in the records too.
"""

from __future__ import annotations

from typing import Any

_LARGE = {"image": "0123456 1100000 0010200 0000000 9999999 0101010"}
_JUMPS = {"levels": (0.5, -1.0, 1.0, 2.0), "jumps": (-1.0, 0.0, 1.5)}
_LETTERS = [{"text": text} for text in ("no a no ", "abc")]
"""Several answers, and none; in the film there is one."""
_SIZES = {"text": "a b c d", "seed": 3, "n_heads": 3, "d_ff": 5}
_HEADS = [{"n_heads": 1}, {"n_heads": 3}]

OTHERS: dict[str, list[dict[str, Any]]] = {
    **{f"convolution.{name}": [_LARGE] for name in ("pixels", "walk", "pool", "classify")},
    "convolution.shifted": [_LARGE],
    "heads.beside": [{}, {"layer": 1, "head": 2}],
    "heads.large": [{}, {"layer": 0, "head": 1, "text": "a wug"}],
    "heads.layers": [{}, {"moment": 350, "at": 20}],
    "heads.scores": [{}, {"text": "abcdefg"}],
    "heads.sheet": [{}, {"moment": 150}],
    "kv_cache.again": [{"n_tokens": 24, "n_prompt": 1}, {"n_tokens": 7, "n_prompt": 3}],
    "kv_cache.once": [{"text": "a b a b c"}],
    "kv_cache.prefill": [
        {"n_tokens": n, "n_prompt": prompt} for n, prompt in ((24, 24), (5, 4), (4, 1))
    ],
    "kv_cache.shared": [
        {"text": "a b a b c"},
        {"text": "abcdefghij b c d e f g h"},
        {"n_heads": 12, "n_groups": 4, "d_head": 64, "latent_width": 100},
        {"n_heads": 31, "rope_width": 0},
    ],
    **{f"one_layer.{name}": [_JUMPS] for name in ("bend", "step", "wave", "sigmoid")},
    "one_layer.any_function": [{"curve": curve} for curve in ("bell", "arch", "ramp-up")],
    **{
        f"onehot.{name}": _LETTERS
        for name in ("embedding", "previous", "write", "match", "answer", "skip")
    },
    "tour.alphabets": [{"text": "here the cat sees me and then the cat", "rotation": 12}],
    "tour.code": [{"rotation": 0}, {"rotation": 1}],
    **{f"transformer_block.{name}": [_SIZES, *_HEADS] for name in ("lanes", "patterns", "mix")},
    "transformer_block.mlp": [{"text": "a b a", "seed": 5, "d_ff": 6}],
    "transformer_block.readout": [{"seed": seed} for seed in (1, 2, 3)],
    **{f"transformer_block.{name}": [_SIZES] for name in ("stack", "flow")},
    "vectors.cosine": [
        {
            "ratings": ((3, -1, 2), (-4, 2, 0), (2, 2, 5), (5, -4, 1)),
            "raters": "Zoe Yan Xu Wim",
        }
    ],
}
"""By stage."""
FILMS = sorted({name.partition(".")[0] for name in OTHERS})
CASES = [(name, given) for name, several in OTHERS.items() for given in several]


def named(name: str, given: dict[str, Any]) -> str:
    """A shot of a film by its stage and its inputs."""
    told = (f"{key}={value}" for key, value in given.items())
    return " ".join([name.partition(".")[2], *told])
