"""From shots to clips: drawn in worker processes, kept by what they are made of."""
