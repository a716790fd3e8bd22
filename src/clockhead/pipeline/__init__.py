"""Storyboard in, film out: load and check, render shots, join the film, and the command line."""
