"""What is logged opens nothing: keys, cookies and tokens are cut out, whoever writes the line."""

import logging
import re
import time
import traceback
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, g, request

# What is signed is content, time, signature; keys and ids are 26 lower-case letters and digits.
# The look-behind lets the first kind begin only where a word does: tried at every character of a
# long word, the search takes time that grows with the square of its length.
SECRETS = re.compile(r"(?<![\w.-])[\w.-]*\.[\w-]{6}\.[\w-]{27}\b|\b[0-9a-z]{26,}\b")
LONGEST_MESSAGE = 1000  # characters; paths and headers are as long as strangers like

REQUESTS = logging.getLogger("scorekeeper.requests")


def init_app(app: Flask) -> None:
    """Cut secrets out of every record that this process logs from here on.

    The servers log the path of a request that failed, and a join link has its key there; their
    loggers are their own, so the records are changed where all of them are made. With
    `LOG_REQUESTS` each request is a line: method, path, status, milliseconds to the answer; what
    follows a question mark is left out, as people search for names there.
    """
    made = logging.getLogRecordFactory()
    if not isinstance(made, _Discreet):
        logging.setLogRecordFactory(_Discreet(made))
    if app.config.get("LOG_REQUESTS"):
        _print_requests()
    if REQUESTS.isEnabledFor(logging.INFO):
        app.before_request(_begin)
        app.after_request(_end)


def without_secrets(text: str) -> str:
    """Return a text with everything cut out that could open a table."""
    return SECRETS.sub("[secret]", text)


def _shortened(text: str) -> str:
    """Return a message with its middle left out when it is long; a status stands at its end."""
    half = LONGEST_MESSAGE // 2
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:half]} … {text[-half:]}"


def _print_requests() -> None:
    REQUESTS.setLevel(logging.INFO)
    if not REQUESTS.handlers:
        printed = logging.StreamHandler()
        printed.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        REQUESTS.addHandler(printed)


def _begin() -> None:
    g.begun = time.monotonic()


def _end(response: Response) -> Response:
    took = round(1000 * (time.monotonic() - g.begun))
    # Quoted again, so that no path can write a line of its own.
    path = quote(request.path, errors="replace")
    REQUESTS.info("%s %s %d %d ms", request.method, path, response.status_code, took)
    return response


class _Discreet:
    """Makes log records that tell no secret, in message, traceback and stack alike."""

    def __init__(self, made: Any):
        self._made = made

    def __call__(self, *about: Any, **more: Any) -> logging.LogRecord:
        record: logging.LogRecord = self._made(*about, **more)
        with suppress(TypeError, ValueError):  # of arguments that do not fit; the handler tells
            # Secrets first: the pattern would not know one that was cut in two.
            record.msg, record.args = _shortened(without_secrets(record.getMessage())), ()
        if record.exc_info and record.exc_info[1]:
            shown = "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
            record.exc_text = without_secrets(shown)
        if record.stack_info:
            record.stack_info = without_secrets(record.stack_info)
        return record
