"""Values of the stages of `ablation`."""
