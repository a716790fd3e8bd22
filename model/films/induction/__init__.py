"""Values of the stages of `induction`."""
