"""Pictures are drawn here, so Manim is imported before anything of `scenes` is."""

import manim  # noqa: F401
