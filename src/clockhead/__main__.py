"""`python -m clockhead`: the command line."""

from clockhead.pipeline.cli import main

main()
