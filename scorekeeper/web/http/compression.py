"""gzip compression of text responses."""

import gzip

from flask import Flask, Response, request

MIN_BYTES = 500  # smaller responses gain too little
LEVEL = 6


def init_app(app: Flask) -> None:
    """Compress text responses for clients that accept gzip."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if not _is_compressible(response):
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings.quality("gzip") > 0:
        # mtime=0 gives equal bodies equal bytes.
        response.set_data(gzip.compress(response.get_data(), LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def _is_compressible(response: Response) -> bool:
    """Return whether a response is whole, uncompressed text that is large enough."""
    if response.direct_passthrough or response.is_streamed or len(response.get_data()) < MIN_BYTES:
        return False
    mimetype = response.mimetype or ""
    return not (
        300 <= response.status_code < 400
        or "Content-Encoding" in response.headers
        or not (mimetype.startswith("text/") or mimetype == "application/json")
    )
