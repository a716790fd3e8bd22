"""Films on their way into a lecture: pages, slides, pictures, handouts and tables.

Every format is a module with `write(edition, target, choices)`, made of the same clips, captions,
facts and stills; `formats` lists them.
"""
