"""The voice of a film: sentences as spoken words, as sound, and at the same loudness."""
