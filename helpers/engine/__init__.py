"""What training and the models lean on: checks of input, files, checkpoints, processes, translators."""
