"""Values of the stages of `previous_token`."""
