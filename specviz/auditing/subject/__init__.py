"""The verifier as it comes, and the inputs and generators that it is tried on."""
