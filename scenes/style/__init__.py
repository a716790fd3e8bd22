"""The look of all films: colours, type and layout."""
