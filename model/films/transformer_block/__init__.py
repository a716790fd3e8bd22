"""Values of the stages of `transformer_block`."""
