"""The commands of `python -m helpers`, for those who have outgrown the notebooks."""
