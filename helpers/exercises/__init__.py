"""The exercises, one module a chapter: the specification, the cases and the typical mistakes of each."""
