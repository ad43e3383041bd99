"""All typical faults, by part. A reader's part that behaves like one of them in every trial is told so."""

FAULTS = {}
