"""The tree rule: several candidates for each position."""
