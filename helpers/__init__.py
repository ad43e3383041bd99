"""The parts of a Transformer, one module a topic, in the order of the chapters that build them."""
