"""The four RAG scorers, and the way to make one's own."""
