"""Property tests have no deadline: a busy machine is slow now and then."""

from hypothesis import settings

import project  # noqa: F401  # switches progress bars off, for all that the tests run

settings.register_profile("course", deadline=None)
settings.load_profile("course")
