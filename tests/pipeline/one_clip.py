"""A shot that begins with another's picture, and its clip, which a worker draws once.

Small and of few frames a second: how it is divided, kept and put together depends on neither.
"""

from dataclasses import replace
from functools import cache

from clockhead.clips.clip import Clip, ClipJob
from clockhead.clips.render import render_clip
from clockhead.look import Look, Quality
from clockhead.scenes.stage import Predecessor, Shot, find_stage

STAGE, BEFORE = "previous_token.pre_rotated_query", "previous_token.constant_key"
LOOK = Look(Quality(180, 5))
GROUP = "one-clip"
"""Tests that ask for it are all done by one worker."""


def shot_of(stage: str) -> Shot:
    found = find_stage(stage)
    return found.shot(found.Inputs())


@cache
def the_job() -> ClipJob:
    return ClipJob(STAGE, replace(shot_of(STAGE), after=Predecessor(BEFORE, shot_of(BEFORE))), LOOK)


@cache
def the_clip() -> Clip:
    return render_clip(the_job())
