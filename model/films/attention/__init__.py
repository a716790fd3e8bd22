"""Values of the stages of `attention`."""
