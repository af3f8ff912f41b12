"""`python -m scorekeeper` does what `scorekeeper` does."""

import sys

from scorekeeper.cli import main

sys.exit(main())
