"""Films for lectures: pages, slides, videos, pictures, handouts and tables.

Every format is a function `write(edition, target, choices)` that writes files into the folder
`target` and yields their paths, the one to open first. To add a format, write `export/NAME.py`, put
its templates into `export/assets/NAME/` if it has any, and list it in `formats.FORMATS`. `edition`
has what all formats are made of: texts, facts, clips and stills; `segments` divides shots into
slides; `alt` describes pictures in words; `pages` has what web pages share.
"""
