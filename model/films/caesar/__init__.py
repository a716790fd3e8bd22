"""Values of the stages of `caesar`."""
