"""From YAML to shots that are ready to be drawn.

`films` reads a storyboard: `yaml_reader` parses it with positions, `models` says which keys there
are, `shots` resolves each shot (`inputs`, `texts`, `formulas`, `expect`) into a `resolved` one.
`validation` and `yaml_advice` say what to write instead, and `problems` says it where it is wrong.
"""
