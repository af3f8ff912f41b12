"""Code shared by all requests: session, language, security, rate limits, caching, errors."""
