"""Cards with the user's own text, before, between and after shots."""
