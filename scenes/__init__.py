"""Stages and their pictures: a folder for each film, and a module for each stage.

`stage/` has the base class of stages, `style/` the look (colours, type, layout), and `parts/` the
pictures that films share.
"""
