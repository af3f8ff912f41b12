"""Cache of compiled templates in the data folder, so that a start need not compile them again."""

import hashlib
import hmac
import os
import tempfile
from importlib.metadata import PackageNotFoundError, version
from importlib.util import MAGIC_NUMBER
from pathlib import Path

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

FOLDER = "template-cache"  # in the data folder; may be deleted at any time
SIGNATURE_LENGTH = hashlib.sha256().digest_size


class TemplateCache(BytecodeCache):
    """Bytecode of templates, one file each; what cannot be read or written is compiled anew.

    Bytecode is code, so a file counts only with a signature that needs the secret key of this
    server. A damaged file, or one that somebody else wrote, is as good as none.

    A file is named by its template. Its signature covers that name, the versions of this program,
    Jinja and Python, and the bytecode, in which Jinja keeps a hash of the template's source.
    """

    def __init__(self, folder: Path, secret: str | bytes):
        self._folder = folder
        self._secret = secret.encode() if isinstance(secret, str) else secret
        self._versions = _versions()

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the name of a template's file."""
        return name.replace("/", ".")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a bucket its bytecode, where it is here and signed."""
        try:
            kept = (self._folder / bucket.key).read_bytes()
        except OSError:
            return
        signature, code = kept[:SIGNATURE_LENGTH], kept[SIGNATURE_LENGTH:]
        if hmac.compare_digest(signature, self._signature(bucket.key, code)):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the bytecode of a bucket, unless the folder cannot be written."""
        code = bucket.bytecode_to_string()
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            # Another process may read or write the same file: it appears only when it is whole.
            handle, draft = tempfile.mkstemp(dir=self._folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(self._signature(bucket.key, code) + code)
                os.replace(draft, self._folder / bucket.key)
            except OSError:
                os.unlink(draft)
        except OSError:
            pass  # the page is shown all the same, and compiled again after the next start

    def _signature(self, key: str, code: bytes) -> bytes:
        signed = b"\0".join([b"template", self._versions, key.encode(), code])
        return hmac.digest(self._secret, signed, "sha256")


def init_app(app: Flask, data: Path) -> None:
    """Keep the compiled templates of an application in its data folder."""
    app.jinja_env.bytecode_cache = TemplateCache(data / FOLDER, app.config["SECRET_KEY"])


def _versions() -> bytes:
    found = []
    for package in ("scorekeeper", "jinja2"):
        try:
            found.append(version(package))
        except PackageNotFoundError:
            found.append("")
    return b"\0".join([*(text.encode() for text in found), MAGIC_NUMBER])
