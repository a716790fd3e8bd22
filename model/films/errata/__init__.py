"""Values of the stages of `errata`."""
