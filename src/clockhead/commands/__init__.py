"""The command line's commands, each in a module of its own."""
