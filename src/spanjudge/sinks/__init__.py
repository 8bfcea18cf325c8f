"""Where outcomes go: evaluation spans, log events, metrics."""
