"""How fast films are told, all of it in one place; a film's `pace` divides every time by itself."""

READING_SPEED = 13.0
"""Characters that a viewer reads in a second."""
FIRST_LOOK = 1.0
"""Seconds that the first picture of a shot stands before anything is said."""
GUESS = 2.5
"""Seconds that what a beat asks (`ask`) stands at least, so that a viewer can guess."""
PAUSE = 0.8
"""Seconds that a picture stands at least at the end of a beat, once nothing moves any more."""
REST = 2.0
"""Seconds that it stands where it carries the point (`@beat(..., rest=REST)`), and at the end."""
LEAD, BREATH = 0.3, 0.4
"""Seconds from when a sentence appears until it is spoken, and from its end to the next."""
CARRY, DISSOLVE = 1.2, 0.8
"""Seconds in which a picture becomes the next, with something carried over and with nothing."""
SHORTEST, LONGEST = 8.0, 60.0
"""Seconds that a stage with its default inputs takes at least and at most."""
