"""What interactive figures are built from."""
