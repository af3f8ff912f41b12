"""Pages are sent compressed to whoever can read that: a phone on a bad line waits for bytes."""

import zlib
from functools import lru_cache
from typing import Any

from flask import Flask, Response, request

SMALLEST = 500  # bytes; less is not worth the work
LEVEL = 5
GZIP = 16 + zlib.MAX_WBITS  # zlib's word for its format


def init_app(app: Flask) -> None:
    """Compress text answers."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if (
        response.direct_passthrough
        or response.is_streamed
        or 300 <= response.status_code < 400
        or "Content-Encoding" in response.headers
        or not (
            (response.mimetype or "").startswith("text/") or response.mimetype == "application/json"
        )
        or len(content := response.get_data()) < SMALLEST
    ):
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings.quality("gzip") > 0:
        response.set_data(packed(content))
        response.headers["Content-Encoding"] = "gzip"
    return response


# Key: the text. A board is the same for all who look on, and they all ask at once.
@lru_cache(maxsize=4)
def packed(content: bytes) -> bytes:
    """Return a text compressed. The style sheet at the beginning of every page is packed once."""
    beginning = content.find(b"</style>") + 1
    start, packer = _begun(content[:beginning])
    rest = packer.copy()
    return start + bytes(rest.compress(content[beginning:])) + bytes(rest.flush())


# Key: the text, one for the pages of each language; each keeps a quarter of a megabyte.
@lru_cache(maxsize=8)
def _begun(content: bytes) -> tuple[bytes, Any]:
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    return packer.compress(content), packer
