"""Rules of verification, one a file: the scalar program that states it and the vectorised code that returns the same tokens."""
