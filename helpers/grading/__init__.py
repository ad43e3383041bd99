"""Grading what students hand in, as if all of it were hostile.

The teacher's process reads the notebooks (`submissions`), judges the answers (`marks`) and tells them
(`tables`). It never runs a student's code. For each notebook it starts a process in a `sandbox`, gives it the
cells and the inputs of the exercises (`given`), and ends it when it takes too much (`limits`). In there
`inside` runs the cells; where one calls `check`, the answer is called on the inputs, and what it returns goes
out as text (`values`). No specification, no known mistake and no other submission is in the sandbox.

Of a folder mine/ the parts are judged by their values, too (`parts`); there the course's own are at hand.
"""
