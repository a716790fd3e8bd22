"""The JSON Schema of storyboards, for editors that complete and check while one types."""

from __future__ import annotations

from typing import Any

from clockhead.scenes.stage import find_stage, stage_names
from clockhead.storyboard.models import Storyboard

Schema = dict[str, Any]


def storyboard_schema() -> Schema:
    """The storyboard language with every stage's inputs in it."""
    inputs = {name: inputs_schema(name) for name in stage_names()}
    schema = Storyboard.model_json_schema()
    shot = schema["$defs"]["ShotSpec"]
    shot["properties"]["stage"]["enum"] = list(inputs)
    shot["allOf"] = [_inputs_of(name) for name in inputs]
    schema["properties"]["inputs"] = _shared_inputs(schema["properties"]["inputs"], inputs)
    for part in (schema, shot):
        _drop_empty_defaults(part)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "$defs": {**schema["$defs"], **inputs},
    }


def inputs_schema(stage: str) -> Schema:
    """What a stage takes: types, bounds, defaults and descriptions."""
    refs = f"#/$defs/{stage}/$defs/{{model}}"
    return find_stage(stage).Inputs.model_json_schema(ref_template=refs)


def _inputs_of(stage: str) -> Schema:
    return {
        "if": {"properties": {"stage": {"const": stage}}},
        "then": {"properties": {"inputs": {"$ref": f"#/$defs/{stage}"}}},
    }


def _shared_inputs(part: Schema, inputs: dict[str, Schema]) -> Schema:
    """Inputs for all shots: a value is good if one of the stages that know the name takes it."""
    takers: dict[str, list[Schema]] = {}
    for stage, schema in inputs.items():
        for name in schema["properties"]:
            takers.setdefault(name, []).append({"$ref": f"#/$defs/{stage}/properties/{name}"})
    properties = {name: {"anyOf": references} for name, references in takers.items()}
    return {**part, "properties": properties, "additionalProperties": False}


def _drop_empty_defaults(schema: Schema) -> None:
    """An empty text stands for a key that was left out; nobody should write one."""
    for part in schema["properties"].values():
        if part.get("default") == "":
            del part["default"]
