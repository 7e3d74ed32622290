"""Interactive figures, one a file."""
