"""Values of the stages of `onehot`."""
