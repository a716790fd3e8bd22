"""Pictures that stages share. A part is written once and looks the same in every film.

Words, numbers and how things move are here; `matrices`, `charts`, `clocks` and `tokens` hold the
pictures made of them.
"""
