"""Prove or refute losslessness: statistics against exact laws, wrong verifiers to test the tests, and the report."""
