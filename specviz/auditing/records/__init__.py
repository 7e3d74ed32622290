"""Audit of rounds that an engine recorded."""
