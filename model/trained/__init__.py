"""A small transformer that learned its heads, at twelve moments of its training."""
