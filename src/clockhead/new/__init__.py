"""What `clockhead new` writes: films and stages to begin with."""
