"""Naming the fault of a verifier that was refuted."""
