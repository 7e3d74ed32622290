"""Property tests take the same examples in every run, and as long as a busy machine needs."""

from hypothesis import settings

settings.register_profile("specviz", deadline=None, derandomize=True)
settings.load_profile("specviz")
