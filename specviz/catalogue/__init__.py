"""The families of wrong verifiers, one a file, and the right rules beside them; `specviz.catalogue.index` has them all."""
