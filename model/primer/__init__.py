"""The worked examples of Erzegovesi's primer: weights, tables, errata."""
