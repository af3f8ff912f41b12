"""Logging: secrets are removed from every record; requests are logged if configured."""

import logging
import re
import time
import traceback
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, g, request

# Signed values are content, time and signature; keys and ids are 26 lower-case letters and digits.
# The look-behind lets a signed value begin only where a word begins. Without it the search would
# start at every character, and take quadratic time in a long word.
SECRETS = re.compile(r"(?<![\w.-])[\w.-]*\.[\w-]{6}\.[\w-]{27}\b|\b[0-9a-z]{26,}\b")
MAX_MESSAGE = 1000  # characters; clients choose how long paths and headers are

REQUESTS = logging.getLogger("scorekeeper.requests")


def init_app(app: Flask) -> None:
    """Remove secrets from every record that this process logs from now on.

    Servers log the path of a failed request, and the path of a join link contains its key. They
    use loggers of their own, so records are changed in the record factory, which all loggers share.
    With `LOG_REQUESTS` each request is logged in a line: method, path, status and milliseconds.
    The query is left out, as people search for names there.
    """
    factory = logging.getLogRecordFactory()
    if not isinstance(factory, _RedactingFactory):
        logging.setLogRecordFactory(_RedactingFactory(factory))
    if app.config.get("LOG_REQUESTS"):
        _log_requests()
    if REQUESTS.isEnabledFor(logging.INFO):
        app.before_request(_start_timer)
        app.after_request(_log_request)


def without_secrets(text: str) -> str:
    """Return a text with every key, cookie and token replaced by `[secret]`."""
    return SECRETS.sub("[secret]", text)


def _shortened(text: str) -> str:
    """Return a message without its middle if it is long; servers put the status at the end."""
    half = MAX_MESSAGE // 2
    return text if len(text) <= MAX_MESSAGE else f"{text[:half]} … {text[-half:]}"


def _log_requests() -> None:
    REQUESTS.setLevel(logging.INFO)
    if not REQUESTS.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        REQUESTS.addHandler(handler)


def _start_timer() -> None:
    g.started = time.monotonic()


def _log_request(response: Response) -> Response:
    took = round(1000 * (time.monotonic() - g.started))
    # Quoted again, so that a path cannot contain a line break.
    path = quote(request.path, errors="replace")
    REQUESTS.info("%s %s %d %d ms", request.method, path, response.status_code, took)
    return response


class _RedactingFactory:
    """Log record factory that removes secrets from message, traceback and stack."""

    def __init__(self, factory: Any):
        self._factory = factory

    def __call__(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record: logging.LogRecord = self._factory(*args, **kwargs)
        # Arguments that do not fit the message are left to the handler, which reports them.
        with suppress(TypeError, ValueError):
            # Before shortening, as the pattern would not match a secret that was cut in two.
            record.msg, record.args = _shortened(without_secrets(record.getMessage())), ()
        if record.exc_info and record.exc_info[1]:
            shown = "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
            record.exc_text = without_secrets(shown)
        if record.stack_info:
            record.stack_info = without_secrets(record.stack_info)
        return record
