"""A film's stages that are drawn in no time, for trying the pipeline; copied into `scenes`.

What a stage does beside drawing is ruled by files in the folder `$MARKS`: it notes its process
there, and holds still for as long as there is a file called `wait`.
"""
