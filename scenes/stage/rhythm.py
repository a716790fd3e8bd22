"""The timing of all films, in one place; a film's `pace` divides all these times."""

READING_SPEED = 13.0
"""Characters per second that a viewer reads."""
FIRST_LOOK = 1.0
"""Seconds for which the first picture of a shot is shown before the first sentence."""
GUESS = 2.5
"""Minimum seconds for which a beat's question (`ask`) is shown, so that viewers can guess."""
PAUSE = 0.8
"""Minimum seconds for which the last picture of a beat is shown without motion."""
REST = 2.0
"""The same for important beats (`@beat(..., rest=REST)`) and at the end of a shot."""
LEAD = 0.3
"""Seconds from the appearance of a sentence until it is spoken."""
BREATH = 0.4
"""Seconds from the end of a spoken sentence to the next one."""
CARRY = 1.2
"""Seconds for a transition between shots with pictures that are carried over."""
DISSOLVE = 0.8
"""Seconds for a transition without such pictures."""
SHORTEST = 8.0
"""Minimum duration of a stage with its default inputs, in seconds."""
LONGEST = 60.0
"""Maximum duration of a stage with its default inputs, in seconds."""
