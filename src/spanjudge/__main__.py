"""``python -m spanjudge``."""

from spanjudge.cli import main

if __name__ == "__main__":
    main()
