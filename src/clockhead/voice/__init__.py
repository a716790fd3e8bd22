"""A voice for what a film says: sentences as words, words as sound, sound as loud everywhere."""
