"""Everything that is drawn: charts in one style, diagrams of tensors, and the viewer of attention."""
