"""Functions of one hidden layer, and filters that slide over pictures."""
