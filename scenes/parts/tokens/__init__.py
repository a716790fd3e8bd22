"""Texts on screen: tokens in boxes and lanes, and what goes on between them."""
