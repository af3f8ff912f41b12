"""`python -m scorekeeper` does what `scorekeeper` does."""

import sys

from scorekeeper.cli.main import main

sys.exit(main())
