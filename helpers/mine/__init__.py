"""By your own hand: the reader writes every part of the translator in the folder mine/, and it is checked.

rungs says what is written in which chapter, stubs writes the empty files, yours finds what the reader has
written, matching moves weights between the reader's parts and ours, assembly builds a model from both,
trials and faults say on what a part is tried and what goes wrong there, checking judges it.
"""
