"""The questions that an audit asks."""
