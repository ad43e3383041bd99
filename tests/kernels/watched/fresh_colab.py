"""Once this is imported, nothing finds what a fresh Colab lacks: this project and the Hangul font package."""

import sys
from importlib.machinery import PathFinder
from pathlib import Path


class Hidden(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name == "koreanize_matplotlib" else super().find_spec(name, path, target)


sys.meta_path = [Hidden if finder is PathFinder else finder for finder in sys.meta_path]
sys.path = [place for place in sys.path if not (Path(place) / "helpers" / "__init__.py").exists()]
