"""Whether a set-up works: a marked trace followed through it, and captured traces explained."""
