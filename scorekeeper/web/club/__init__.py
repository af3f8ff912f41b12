"""Pages of club nights: set-up, desk, wall, slips, and what players see."""
