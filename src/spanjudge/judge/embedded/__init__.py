"""The embedded judge: lexical, in pure Python, without a key, a download or a network."""

from spanjudge.judge.embedded.judge import EmbeddedJudge

__all__ = ["EmbeddedJudge"]
