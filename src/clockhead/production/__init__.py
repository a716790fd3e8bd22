"""From clips to a film: joined, captioned, described, published whole."""
