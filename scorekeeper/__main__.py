"""`python -m scorekeeper` does what `scorekeeper` does."""

import sys

from scorekeeper.cli.parser import main

sys.exit(main())
