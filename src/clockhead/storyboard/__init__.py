"""From YAML to shots that are ready to be drawn: read, checked, computed, written."""
