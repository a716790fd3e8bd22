"""A film that tests of the studio edit."""

SQUARES = """\
# A film of two shots.
version: 1
title: Squares
shots:
  - stage: small.moving  # the first
    id: one
    inputs: {moves: 2}
  - stage: small.moving
    id: two
    inputs:
      moves: 3  # three of them
    expect: {moves: "< 8"}
"""
