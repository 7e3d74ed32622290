"""Pictures: one family a file. Each `plot_*` draws on `ax` and returns it; its `describe_*` says the same in words."""
