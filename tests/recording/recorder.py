"""One evening: its server, its phones, and the file with every answer."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from jinja2 import FileSystemBytecodeCache
from werkzeug.test import TestResponse

from scorekeeper import create_app
from tests.recording import fixed
from tests.web.page import Form, Page

SECRET_KEY = "north east south west and centre"
HOST = "http://192.168.178.20"  # by which phones reach the server
HERE = "http://localhost"
HEADERS = (
    "Content-Type", "Content-Language", "Content-Disposition", "Location", "Allow", "ETag",
    "Cache-Control", "Vary", "Retry-After", "WWW-Authenticate", "Link", "Set-Cookie",
    "Scorekeeper-Restored",
)  # fmt: skip
OF_THE_BUILD = ("Scorekeeper", "Content-Length")
# What follows from the build, the key or the machine: see the docstring of this room.
NOISE = [
    (re.compile(r"<style\b[^>]*>.*?</style>", re.S), "<style>"),
    (re.compile(r"'sha256-[\w+/=]+' ?"), ""),
    (re.compile(r"(\?v=|/all-)[0-9a-f]{10}"), r"\1<version>"),
    (re.compile(r"[\w-]{20,}=*(?:\.[\w-]{6})?\.[\w-]{27}(?![\w-])"), "<signed>"),
    (re.compile(r'(?m)^(ETag: ).*[^\d"\n].*$'), r"\1<tag>"),
    (re.compile(r"\b(\d+)-[0-9a-f]{12}\b"), r"\1-<hash>"),
    (re.compile(r"\b(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{10,64}\b"), "<hash>"),
    (re.compile(r"(Retry-After: |again in )\d+"), r"\1<n>"),
]
WORD = re.compile(rf"(?<![0-9A-Za-z])[{fixed.LETTERS}]{{8,26}}(?![0-9A-Za-z])|(?<=/watch/)\w{{26}}")
TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"|"token":"([^"]+)"')
REVISION = re.compile(r'"revision":"([^"]+)"')
KEY = re.compile(r"/join/(\w{26})")


class Evening:
    """A file of answers. `n` is the number of the request that is made now."""

    def __init__(self, name: str, file: Path, folder: Path) -> None:
        self.name, self.n = name, 0
        self._file, self._folder = file, folder
        self._names: dict[str, str] = {}
        self._pages: list[str] = []
        fixed.begin(name)

    def next(self) -> None:
        """Let the clock go on, before each request or command."""
        self.n += 1
        fixed.step(self.name, self.n)

    def write(self, asked: str, answered: str) -> None:
        """Write an answer under what was asked for it."""
        self._pages.append(
            f"=== {self.n} {self._plain(asked)}\n{self._plain(_in_lines(answered))}\n"
        )

    def end(self) -> None:
        """Write the file."""
        self._file.write_bytes("".join(self._pages).encode(errors="backslashreplace"))

    def _plain(self, text: str) -> str:
        for word, instead in (
            (str(self._folder), "<folder>"), (sys.prefix, "<venv>"), ("\0", "\\0"),
        ):  # fmt: skip
            text = text.replace(word, instead)
        for noise, instead in NOISE:
            text = noise.sub(instead, text)
        return WORD.sub(self._named, text)

    def _named(self, word: re.Match[str]) -> str:
        """Return the name of a random word: words are counted in the order in which they appear."""
        return self._names.setdefault(word[0], f"<id-{len(self._names) + 1}>")


class Phone:
    """A browser or a program, which keeps its cookies and the token and revision that it saw last.

    The game that it plays is at `path`.
    """

    def __init__(self, server: "Server", name: str, **headers: str) -> None:
        self.server, self.name, self.headers = server, name, headers
        self.client: FlaskClient = server.app.test_client()
        self.base, self.path = HOST, ""
        self.token = self.revision = ""

    def ask(self, method: str, path: str, sent: Any = None, **options: Any) -> TestResponse:
        """Send a request and write its answer. `sent` are the fields of a form."""
        evening = self.server.evening
        evening.next()
        headers = {**self.headers, **options.pop("headers", {})}
        options.setdefault("base_url", self.base)
        answer = self.client.open(path, method=method, data=sent, headers=headers, **options)
        text = _text(answer)
        asked = [f"{method} {path} by {self.name}", *_lines(headers), *_sent(sent, options)]
        found = [answer.status, *_headers(answer, evening.n), "", text]
        evening.write("\n".join(asked), "\n".join(found))
        self._remember(text)
        return answer

    def get(self, path: str = "", **options: Any) -> TestResponse:
        """Ask for a page, by default that of the game."""
        return self.ask("GET", path or self.path, **options)

    def post(self, path: str, /, **fields: Any) -> TestResponse:
        """Send fields with the token and the revision that were seen, and go where it leads.

        A field of None is not sent; `bid_1` stands for `bid-1`.
        """
        sent = {_field(name): str(value) for name, value in fields.items() if value is not None}
        return self.send(path, {"csrf_token": self.token, "version": self.revision, **sent})

    def send(self, path: str, fields: dict[str, Any], **options: Any) -> TestResponse:
        """Send just these fields, and go where it leads."""
        answer = self.ask("POST", path, fields, **options)
        if answer.status_code == 303:
            self.get(answer.location)
        return answer

    def fill(self, ending: str, at: str = "", /, **fields: Any) -> TestResponse:
        """Send a form of a page as it stands there, with some fields filled in."""
        form = self.form(ending, at)
        return self.send(form.action, {**form.fields, **_named(fields)})

    def form(self, ending: str, at: str = "") -> Form:
        """Return a form of a page."""
        return Page(self.get(at).get_data(as_text=True)).form(ending)

    def read(self, path: str, **options: Any) -> str:
        """Read the first message of a stream, and hang up."""
        self.server.evening.next()
        answer = self.client.get(path, base_url=self.base, headers=self.headers, **options)
        first = next(iter(answer.response), b"")
        answer.close()
        text = first.decode() if isinstance(first, bytes) else first
        asked = f"GET {path} by {self.name}, first message"
        found = [answer.status, *_headers(answer, self.server.evening.n), "", text]
        self.server.evening.write(asked, "\n".join(found))
        return text

    def _remember(self, text: str) -> None:
        if token := TOKEN.search(text):
            self.token = token[1] or token[2]
        if revision := REVISION.search(text):
            self.revision = revision[1]


class Server:
    """A server with an empty folder, the table of this computer, and the key of a link to it."""

    def __init__(self, app: Flask, evening: Evening, folder: Path) -> None:
        self.app, self.evening, self.folder, self.key = app, evening, folder, ""

    def first_phone(self) -> Phone:
        """Join the browser of this computer, which makes a link for all others."""
        phone = Phone(self, "first phone")
        phone.base = HERE
        phone.get("/")
        phone.post("/this-computer")
        cookie = phone.client.get_cookie("s")
        assert cookie is not None
        phone.client.set_cookie("s", cookie.value, domain=HOST.rpartition("/")[2])
        phone.base = HOST
        phone.get("/games/new")
        self.key = self.new_link(phone)
        return phone

    def new_link(self, phone: Phone, label: str = "a link") -> str:
        """Return the key of a new join link."""
        made = phone.post("/table/links", label=label).get_data(as_text=True)
        found = KEY.search(made)
        assert found is not None, made
        return found[1]

    def another_phone(self, name: str = "second phone", **headers: str) -> Phone:
        """Join one more phone by the link."""
        phone = Phone(self, name, **headers)
        phone.get(f"/join/{self.key}")
        phone.post(f"/join/{self.key}", label=name)
        phone.get("/games/new")
        return phone

    def program(self, key: str = "") -> Phone:
        """Return a program that uses the API."""
        return Phone(self, "program", Authorization=f"Bearer {key or self.key}")


@contextmanager
def serving(evening: Evening, folder: Path, compiled: Path, **settings: Any) -> Iterator[Server]:
    """Run a server for an evening."""
    folder.mkdir(mode=0o700, exist_ok=True)
    app = create_app(DATA=folder, SECRET_KEY=SECRET_KEY, **settings)
    app.jinja_env.bytecode_cache = FileSystemBytecodeCache(str(compiled))
    try:
        yield Server(app, evening, folder)
    finally:
        for stop in app.extensions["on_stop"]:
            stop()
        app.extensions["store"].close()


def _field(name: str) -> str:
    return re.sub(r"_(\d+)$", r"-\1", name)


def _named(fields: dict[str, Any]) -> dict[str, str]:
    return {_field(name): value for name, value in fields.items()}


def _lines(headers: dict[str, str]) -> list[str]:
    return [f"> {name}: {value}" for name, value in headers.items()]


def _sent(sent: Any, options: dict[str, Any]) -> list[str]:
    """Return what was sent, a line for each field; long ones are cut."""
    if isinstance(sent, dict):
        fields = {name: value for name, value in sent.items() if name != "csrf_token"}
        return [f"> {name}={_short(value)}" for name, value in fields.items()]
    body = options.get("json", sent)
    return [] if body is None else [f"> {str(body)[:500]}"]


def _short(value: Any) -> str:
    """Return a value as it is written: of a file, which is a tuple, only the name."""
    return str(value[1] if isinstance(value, tuple) else value)[:200]


def _headers(answer: TestResponse, n: int) -> list[str]:
    """Return the headers that differ from answer to answer; all of the first of an evening."""
    found = [(name, value) for name in HEADERS for value in answer.headers.getlist(name)]
    if n == 1:
        found = [(name, value) for name, value in answer.headers if name not in OF_THE_BUILD]
    return [f"{name}: {_in_order(name, value)}" for name, value in found]


def _in_order(name: str, value: str) -> str:
    """Return the value of a header; methods are a set, whose order changes from run to run."""
    return ", ".join(sorted(value.split(", "))) if name == "Allow" else value


def _text(answer: TestResponse) -> str:
    """Return the body; of one that is compressed or no text, only how it is sent."""
    if "Content-Encoding" in answer.headers:
        return answer.headers["Content-Encoding"]
    return answer.get_data().decode(errors="backslashreplace")


def _in_lines(text: str) -> str:
    """Break HTML and JSON into lines, so that a difference is a few of them."""
    return text.replace("><", ">\n<").replace(',"', ',\n"')
