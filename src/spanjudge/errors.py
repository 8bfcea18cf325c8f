"""The one kind of error that a user's input can cause."""

from __future__ import annotations


class InputError(ValueError):
    """Input that cannot be used: one sentence that says what is wrong, where it came from and what to do."""
