"""The exercises: one module a chapter, and what judges the answers.

`kinds` says what an exercise consists of, `checking` judges an answer by `comparing` what came with what was
expected and by the usual `slips`, and `progress` keeps what is solved.
"""
