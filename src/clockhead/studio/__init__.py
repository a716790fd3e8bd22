"""A storyboard in the browser, next to the stills of its beats.

`server` serves the page on this machine. `session` has the storyboard that is being edited, and a
worker process that reads it and draws the shots that changed (`draw_job`). `rendering` has another
worker, which renders films and clips (`render_job`). The storyboard's file is written only when the
user saves it.
"""
