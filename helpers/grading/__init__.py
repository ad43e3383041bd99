"""Grading what students hand in, as if all of it were hostile.

The teacher's process reads the notebooks (`submissions`), judges the answers (`marks`) and writes the table
(`tables`). It never runs a student's code. For each notebook it starts a process in a `sandbox`, gives it the
cells and the inputs of the exercises (`given`), and ends it when it takes too much (`limits`). In there
`inside` runs the cells; where one calls `check`, it calls the answer on the inputs, and what that returns goes
out as text (`values`). No specification, no known mistake and no other submission is in the sandbox.
"""
