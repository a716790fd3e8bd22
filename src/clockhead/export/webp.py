"""Each shot as a moving picture: WebP, smaller and finer than GIF."""

from functools import partial

from clockhead.export import moving

write = partial(moving.write, "webp")
