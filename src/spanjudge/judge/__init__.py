"""Asking a judge: the protocol, its implementations, and their limits."""
