"""One file per tracing convention; no dialect knows another."""
