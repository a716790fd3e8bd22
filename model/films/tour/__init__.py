"""Values of the stages of `tour`."""
