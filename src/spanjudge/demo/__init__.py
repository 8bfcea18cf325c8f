"""The main job in one go: a small RAG agent on the manual that every Python carries, traced, judged, broken."""
