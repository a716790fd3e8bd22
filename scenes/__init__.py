"""What is on screen: one module per construction, one class per stage.

`style/` holds the look (colours, type, layout) and `parts/` the pictures that stages share.
"""
