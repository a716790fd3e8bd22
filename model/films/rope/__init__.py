"""Values of the stages of `rope`."""
