"""From shots to clips: drawn in worker processes, kept by what they are made of.

`fingerprint` computes the key of a clip, and `store` keeps clips by key (in files as `sealed`
writes them). What is not there becomes a job (`clip`): `jobs` runs jobs in processes of this
machine or on a Dask cluster (`cluster`), and `render` performs one: `drawing` sets Manim up,
`repaint` redraws the `areas` that changed, `encoder` encodes them into a `stream`. `stills` and
`examine` draw single pictures, or none.
"""
