"""What one stage shows, computed: a folder for each film, a module for each stage."""
