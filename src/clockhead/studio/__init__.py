"""A workshop in the browser: a storyboard on one side, the stills of its beats on the other.

`serve` is the page's server, on this machine alone. It keeps the storyboard as it is being edited
(`desk`), and has a warm process (`bench`, `worker`) read it and draw the shots that changed.
Nothing is written to the storyboard's file unless somebody asks for it.
"""
