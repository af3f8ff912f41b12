"""Cache of compiled templates in the data folder, for a faster start."""

from contextlib import suppress
from pathlib import Path

from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

FOLDER = "template-cache"  # in the data folder; may be deleted at any time


class TemplateCache(FileSystemBytecodeCache):
    """Jinja's cache, without which a page is shown too: where files are damaged or not writable."""

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        except Exception:  # a file that was cut short is unpickled with nearly any error
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def init_app(app: Flask, data: Path) -> None:
    """Cache the compiled templates of an application, which are code, for its owner alone."""
    folder = data / FOLDER
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
    app.jinja_env.bytecode_cache = TemplateCache(str(folder))
