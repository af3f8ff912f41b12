"""What every request passes: session, language, security, limits, caching, errors."""
