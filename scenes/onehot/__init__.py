"""The one-hot induction head: two layers whose matrices can be written down at sight.

After lecture slides on a one-hot induction head, whose author is not named in them.
"""
