"""Values of the stages of `trained`."""
