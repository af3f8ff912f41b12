"""Cache of compiled templates in the data folder, for a faster start."""

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

from scorekeeper.malloc import release_freed

FOLDER = "template-cache"  # in the data folder; may be deleted at any time
SIGNATURE_LENGTH = hashlib.sha256().digest_size


class TemplateCache(BytecodeCache):
    """Jinja bytecode cache with one signed file for each template.

    Bytecode is executed, so a file is used only if it is signed with the secret key of this server.
    A template whose file is missing, damaged or written by somebody else is compiled again.

    The signature covers the name of the template, the versions of this program, Jinja and Python,
    and the bytecode, in which Jinja stores a hash of the template's source.
    """

    def __init__(self, folder: Path, secret: str | bytes):
        self._folder = folder
        self._secret = secret.encode() if isinstance(secret, str) else secret
        self._versions = _versions()

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the file name for a template."""
        return name.replace("/", ".")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the bytecode of a bucket, if its file exists and is signed."""
        try:
            data = (self._folder / bucket.key).read_bytes()
        except OSError:
            return
        signature, code = data[:SIGNATURE_LENGTH], data[SIGNATURE_LENGTH:]
        if hmac.compare_digest(signature, self._signature(bucket.key, code)):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write the bytecode of a bucket, unless the folder is not writable."""
        code = bucket.bytecode_to_string()
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            # Written under another name first, as other processes may read or write the file.
            handle, draft = tempfile.mkstemp(dir=self._folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(self._signature(bucket.key, code) + code)
                os.replace(draft, self._folder / bucket.key)
            except OSError:
                os.unlink(draft)
        except OSError:
            pass  # the template is compiled again after the next start
        # Compiling frees megabytes that would never be used again: the row `memory` needs this.
        release_freed()

    def _signature(self, key: str, code: bytes) -> bytes:
        signed = b"\0".join([b"template", self._versions, key.encode(), code])
        return hmac.digest(self._secret, signed, "sha256")


def init_app(app: Flask, data: Path) -> None:
    """Cache the compiled templates of an application in its data folder."""
    app.jinja_env.bytecode_cache = TemplateCache(data / FOLDER, app.config["SECRET_KEY"])


def _versions() -> bytes:
    found = []
    for package in ("spades-scorekeeper", "jinja2"):
        try:
            found.append(version(package))
        except PackageNotFoundError:
            found.append("")
    return b"\0".join([*(text.encode() for text in found), MAGIC_NUMBER])
