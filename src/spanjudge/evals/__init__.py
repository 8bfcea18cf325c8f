"""Offline evaluation of a user's function on a data set."""

from spanjudge.evals.results import EvalResult, ItemResult, ItemScore
from spanjudge.evals.run import run_evals
from spanjudge.evals.summary import Summary

__all__ = ["EvalResult", "ItemResult", "ItemScore", "Summary", "run_evals"]
