"""Where p and q come from, and the loop of drafting, verifying and appending."""
