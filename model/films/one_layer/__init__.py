"""Values of the stages of `one_layer`."""
