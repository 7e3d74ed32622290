"""Closed forms and bounds."""
