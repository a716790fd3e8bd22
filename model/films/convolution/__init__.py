"""Values of the stages of `convolution`."""
