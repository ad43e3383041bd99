"""Property tests have no deadline: a busy machine is slow now and then. Progress bars stay out of outputs."""

import os

from hypothesis import settings

settings.register_profile("course", deadline=None)
settings.load_profile("course")

os.environ.setdefault("TQDM_DISABLE", "1")
