"""Evaluations as one page of HTML that opens offline."""
