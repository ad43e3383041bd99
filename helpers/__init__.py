"""The parts of a Transformer, one module for each chapter that builds one.

01 tokenization · 02 embedding · 03 positional_encoding · 04 attention · 05 multi_head_attention ·
06 masking · 07 layers · 08 encoder · 09 decoder · 10 transformer · 11 training · 12 decoding ·
13 inspection · 14 laws · 15 language_model · 16 modern

Around them: `corpus` (data), `engine` (files, checkpoints, processes), `published` (models of others),
`figures`, `lesson` and `exercises` (what a notebook needs), `mine` (written by the reader's own hand),
`commands`, `grading`, `live` (the page).
"""
