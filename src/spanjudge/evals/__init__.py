"""Offline evaluation of a user's function on a data set."""
