"""The commands, each a click command in the module of its kind; `clockhead.cli` lists them."""
