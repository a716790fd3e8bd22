"""Cards: what a lecturer writes, between shots, before a film and after it."""
