"""Exact laws: a scalar program integrated over its uniforms, in fractions."""
