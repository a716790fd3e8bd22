"""A storyboard in the browser, next to the stills of its beats.

`server` serves the page on this machine. `session` has the storyboard that is being edited, and has
a worker (`drawing`) read it and draw the shots that changed; `rendering` has another one (`making`)
render. The storyboard's file is written only when the user saves it.
"""
