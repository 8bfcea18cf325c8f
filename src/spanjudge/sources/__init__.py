"""Where spans come from: each source makes the one SpanRecord."""
