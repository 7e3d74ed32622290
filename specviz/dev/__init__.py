"""Tools of whoever works on specviz itself."""
