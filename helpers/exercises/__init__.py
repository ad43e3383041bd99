"""The exercises: one module a chapter, and what judges the answers.

`kinds` says what an exercise consists of; `checking` judges an answer by `comparing` what came with what was
expected, and names it by the mistakes that the exercise lists, the usual `slips` in results, and `mutants`
of the specification; `progress` keeps what is tried and solved.
"""
