"""Property tests have no deadline: a busy machine is slow now and then."""

from hypothesis import settings

settings.register_profile("course", deadline=None)
settings.load_profile("course")
