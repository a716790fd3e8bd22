"""Values of the stages of `heads`, over patterns of any model."""
