"""Two copies of a text, the paths between them, and the notes that travel there."""

import numpy as np
import pytest

from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.previous_token.crossing import Crossing
from clockhead.scenes.stage import Value
from clockhead.scenes.style.layout import Region

TOKENS = Value("tokens", ("the", "cat", "sat"))
NOTES = Value("notes", ("the", "the", "cat"))
PATTERN = np.array([[1.0, 0, 0], [0.75, 0.25, 0], [0.1, 0.8, 0.1]])
CANVAS = {False: Region(-6.0, -2.6, 6.0, 2.6), True: Region(-3.4, -4.5, 3.4, 4.5)}


@pytest.fixture(params=[False, True], ids=["rows", "columns"])
def crossing(request) -> Crossing:
    pattern, shares = Value("pattern", PATTERN), Value("shares", np.array([1.0, 0.75, 0.8]))
    part = Crossing(TOKENS, pattern, NOTES, shares, down=request.param)
    part.place(CANVAS[request.param])
    return part


def run(*animations) -> None:
    for animation in animations:
        animation.begin()
        animation.finish()


def right(*pictures) -> bool:
    return all(
        reading.says == reading.meant.content
        or abs(reading.says - reading.meant.content) <= max(reading.within, 1e-6)
        for picture in pictures
        for reading in picture.readings()
    )


def test_paths_run_between_boxes_of_one_size_and_say_their_shares(crossing):
    boxes = [tile.box for strip in (crossing.givers, crossing.takers) for tile in strip.tiles]
    assert np.ptp([box.width for box in boxes]) == pytest.approx(0)
    assert len(list(crossing.ribbons.readings())) == 6
    assert right(crossing.ribbons, crossing.givers, crossing.takers)


def test_it_stays_in_its_region(crossing):
    run(crossing.deliver(0, 1, 2, run_time=1.0))
    room = CANVAS[crossing.down].inset(-1e-6)
    strips = (crossing.givers, crossing.takers)
    pieces = [*(tile.box for strip in strips for tile in strip.tiles), *crossing.parcels]
    points = np.concatenate([piece.get_all_points() for piece in pieces])
    assert (points[:, :2] >= [room.left, room.bottom]).all()
    assert (points[:, :2] <= [room.right, room.top]).all()


def test_a_parcel_goes_from_the_token_before_to_the_one_that_gets_it(crossing):
    parcel = crossing.parcels[2]
    assert np.allclose(parcel.middle, crossing.givers.middle(1))
    run(crossing.deliver(2, run_time=1.0))
    assert np.allclose(parcel.middle, crossing.home(2))
    assert right(parcel)


def test_takers_and_what_they_got_become_a_strip_with_notes(crossing):
    goal = Strip(TOKENS, notes=NOTES, positions=True, beside=crossing.down)
    goal.place(CANVAS[crossing.down])
    run(crossing.deliver(0, 1, 2, run_time=1.0))
    run(*crossing.gather(goal, run_time=1.0))
    for m, parcel in enumerate(crossing.parcels):
        assert np.allclose(crossing.takers.middle(m), goal.middle(m))
        note = goal.tiles[m].note
        assert np.allclose(parcel.middle, note.frame.get_center())
        assert parcel.note.frame.width == pytest.approx(note.frame.width)
