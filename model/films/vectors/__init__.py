"""Values of the stages of `vectors`."""
