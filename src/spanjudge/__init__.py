"""Scores the RAG calls that OpenTelemetry traces already carry."""
