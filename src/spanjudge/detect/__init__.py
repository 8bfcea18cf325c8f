"""Statistics without I/O: moments, intervals, evidence of regression."""
