"""Pages are sent compressed to whoever can read that: a phone on a bad line waits for bytes."""

import gzip

from flask import Flask, Response, request

SMALLEST = 500  # bytes; less is not worth the work
LEVEL = 5


def init_app(app: Flask) -> None:
    """Compress text answers."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if (
        response.direct_passthrough
        or response.is_streamed
        or "Content-Encoding" in response.headers
        or not (
            (response.mimetype or "").startswith("text/") or response.mimetype == "application/json"
        )
    ):
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings.quality("gzip") > 0 and len(response.get_data()) >= SMALLEST:
        response.set_data(gzip.compress(response.get_data(), LEVEL))
        response.headers["Content-Encoding"] = "gzip"
    return response
