"""How nbval compares, whichever notebooks it is given: numbers after ≈ by value, all else strictly."""

from nbval.plugin import IPyNbCell

import approximate
import project  # noqa: F401  # switches progress bars off, for all that the tests run

IPyNbCell.compare_outputs = approximate.compare_outputs
