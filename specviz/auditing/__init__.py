"""Prove or refute losslessness: the checks, their statistics, and the report."""
