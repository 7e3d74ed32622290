"""Counts in, p-values and power out; no verifier in sight."""
