"""Each shot as a moving picture: GIF, which plays anywhere."""

from functools import partial

from clockhead.export import moving

write = partial(moving.write, "gif")
