"""The exercises, a file for each notebook; a stub is its solution without the body."""
