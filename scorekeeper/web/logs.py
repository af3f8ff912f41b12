"""What is logged opens nothing: keys, cookies and tokens are cut out, whoever writes the line."""

import logging
import re
import traceback
from contextlib import suppress
from typing import Any

from flask import Flask

# Keys and ids are 26 lower-case letters and digits; what is signed is content, time, signature.
SECRETS = re.compile(r"\b[0-9a-z]{26,}\b|[\w.-]*\.[\w-]{6}\.[\w-]{27}\b")


def init_app(_app: Flask) -> None:
    """Cut secrets out of every record that this process logs from here on.

    The servers log the path of a request that failed, and a join link has its key there; their
    loggers are their own, so the records are changed where all of them are made.
    """
    made = logging.getLogRecordFactory()
    if not isinstance(made, _Discreet):
        logging.setLogRecordFactory(_Discreet(made))


def without_secrets(text: str) -> str:
    """Return a text with everything cut out that could open a table."""
    return SECRETS.sub("[secret]", text)


class _Discreet:
    """Makes log records that tell no secret, in message, traceback and stack alike."""

    def __init__(self, made: Any):
        self._made = made

    def __call__(self, *about: Any, **more: Any) -> logging.LogRecord:
        record: logging.LogRecord = self._made(*about, **more)
        with suppress(TypeError, ValueError):  # of arguments that do not fit; the handler tells
            record.msg, record.args = without_secrets(record.getMessage()), ()
        if record.exc_info and record.exc_info[1]:
            shown = "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
            record.exc_text = without_secrets(shown)
        if record.stack_info:
            record.stack_info = without_secrets(record.stack_info)
        return record
