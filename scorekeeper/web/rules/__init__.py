"""Rule books and house rules as pages."""
