"""A voice for Piper that hums, made in no time: so much of one note for every phoneme."""

import json
from pathlib import Path

import onnx
from onnx import TensorProto, helper

RATE = 22050
_HOP = 600.0
"""Samples for a phoneme."""
_PHONEMES = [*range(0x20, 0x7F), *range(0xE0, 0x180), *range(0x250, 0x300), 0x329, 0x3B8]


def make(path: Path, language: str) -> None:
    """Write the voice to `path`, and what describes it beside it."""
    onnx.save(helper.make_model(_graph(), opset_imports=[helper.make_opsetid("", 17)]), str(path))
    ids = {chr(code): [number] for number, code in enumerate(_PHONEMES)}
    about = {
        "audio": {"sample_rate": RATE},
        "espeak": {"voice": language},
        "inference": {"noise_scale": 0.667, "length_scale": 1, "noise_w": 0.8},
        "phoneme_type": "espeak",
        "phoneme_id_map": ids,
        "num_symbols": len(ids),
        "num_speakers": 1,
    }
    path.with_name(f"{path.name}.json").write_text(json.dumps(about))


def _graph() -> onnx.GraphProto:
    """input (1, n) phonemes, scales (noise, length, noise) -> output (1, 1, n * length * hop)."""
    steps = [
        ("Shape", ["input"], "shape"),
        ("Gather", ["shape", "one"], "count"),
        ("Gather", ["scales", "one"], "slow"),
        ("Mul", ["phonemes", "slow"], "scaled"),
        ("Mul", ["scaled", "hop"], "length"),
        ("Range", ["zero", "length", "unit"], "time"),
        ("Mul", ["time", "pitch"], "phase"),
        ("Sin", ["phase"], "wave"),
        ("Unsqueeze", ["wave", "axes"], "output"),
    ]
    nodes = [helper.make_node(kind, inputs, [output]) for kind, inputs, output in steps]
    nodes.insert(2, helper.make_node("Cast", ["count"], ["phonemes"], to=TensorProto.FLOAT))
    numbers = {"hop": _HOP, "zero": 0.0, "unit": 1.0, "pitch": 0.2}
    constants = [helper.make_tensor(n, TensorProto.FLOAT, [], [v]) for n, v in numbers.items()]
    constants.append(helper.make_tensor("one", TensorProto.INT64, [], [1]))
    constants.append(helper.make_tensor("axes", TensorProto.INT64, [2], [0, 1]))
    given = [
        helper.make_tensor_value_info("input", TensorProto.INT64, [1, None]),
        helper.make_tensor_value_info("input_lengths", TensorProto.INT64, [1]),
        helper.make_tensor_value_info("scales", TensorProto.FLOAT, [3]),
    ]
    made = [helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, 1, None])]
    return helper.make_graph(nodes, "hum", given, made, constants)
