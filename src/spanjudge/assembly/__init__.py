"""From the spans of a trace to its RAG runs."""
