"""Networks with one hidden layer, and convolution filters."""
