"""Grading what students hand in, where their code can neither say nor change what a mark is.

Three processes share the work. The teacher's reads the notebooks (`submissions`), judges the answers
(`marks`) and tells them (`tables`). It starts one for each notebook, and ends it when it takes too much
(`limits`). That one (`execution`) starts the student's kernel and sends it the cells. In the kernel, beside
the student's code, `inside` calls the student's functions and sends what they return, as text (`values`).

So a student's code can change whatever it finds, and is judged all the same by what its functions return. It
can harm the teacher's files and processes, though, like any program: see `helpers.commands.grade`.
"""
