"""Property tests have no deadline: a busy machine is slow now and then."""

from hypothesis import settings
from nbval.plugin import IPyNbCell

import approximate
import project  # noqa: F401  # switches progress bars off, for all that the tests run

settings.register_profile("course", deadline=None)
settings.load_profile("course")
IPyNbCell.compare_outputs = approximate.compare_outputs  # numbers after ≈ by value
