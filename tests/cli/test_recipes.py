"""The recipes of docs/hosting.md for https and for a path: a phone joins and plays by each."""

import base64
import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from tests.program import CHECKOUT, Program, clean_environment

pytestmark = pytest.mark.slow

HOSTING = (CHECKOUT / "docs" / "hosting.md").read_text("utf-8")
PROGRAMS = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
PATIENCE = 30  # seconds
NEW = {"rules": "cutthroat-lite", **{f"player-{n}": f"Player {n}" for n in range(1, 5)}}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


def recipe(beginning: str) -> str:
    """Return the block of the page that begins so."""
    return beginning + HOSTING.partition(f"```\n{beginning}")[2].partition("```\n")[0]


class Phone:
    """A browser behind a proxy, which trusts what a certificate authority has signed."""

    def __init__(self, address: str, port: int, authority: Path | None, login: str = "") -> None:
        self.address, self.port, self.login = urlsplit(address), port, login
        self.context = ssl.create_default_context(cafile=authority) if authority else None
        self.cookies: SimpleCookie = SimpleCookie()
        self.connection: http.client.HTTPConnection | None = None

    def open(self, method: str, path: str, body: str | None = None) -> http.client.HTTPResponse:
        """Send a request to the proxy, whatever its name leads to, and return the answer.

        The connection of the request before it ends.
        """
        self.close()
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection = self.connection
        connection.connect()
        if self.context:
            name = self.address.hostname
            connection.sock = self.context.wrap_socket(connection.sock, server_hostname=name)
        headers = {"Host": self.address.netloc, "Origin": self.origin}
        headers["Cookie"] = "; ".join(f"{n}={one.value}" for n, one in self.cookies.items())
        if self.login:
            headers["Authorization"] = f"Basic {base64.b64encode(self.login.encode()).decode()}"
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, headers)
        self.answer = answer = connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            self.cookies.load(cookie)
        return answer

    def close(self) -> None:
        """End the connection of the last request, and what it answers."""
        if self.connection:
            self.connection.close()
            self.answer.close()

    @property
    def origin(self) -> str:
        return f"{self.address.scheme}://{self.address.netloc}"

    def page(self, path: str) -> str:
        answer = self.open("GET", path)
        text = answer.read().decode()
        assert answer.status == 200, text
        return text

    def send(self, page: str, path: str, fields: dict[str, str]) -> str:
        """Send a form that is on a page, and return where the answer leads."""
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.page(page))
        assert found
        answer = self.open("POST", path, urlencode({"csrf_token": found[1], **fields}))
        assert answer.status == 303, answer.read().decode()
        return urlsplit(answer.headers["Location"]).path

    def play(self, join_link: str) -> None:
        """Join a table, start a game, and follow it."""
        assert join_link.startswith(f"{self.address.geturl()}/join/")
        invitation, below = urlsplit(join_link).path, self.address.path
        self.send(invitation, invitation, {"label": "Kim"})
        assert f'href="{below}/static/' in self.page(f"{below}/")
        game = self.send(f"{below}/games/new", f"{below}/games/new", NEW)
        assert game.startswith(f"{below}/games/")
        assert "Player 1" in self.page(game)
        stream = self.open("GET", f"{game}/events")
        assert (stream.status, stream.readline()) == (200, b"retry: 1000\n"), "it comes at once"
        self.close()


@pytest.fixture
def started() -> Iterator[ExitStack]:
    """What is ended with the test."""
    with ExitStack() as started:
        yield started


@pytest.fixture
def serve(started: ExitStack, tmp_path: Path) -> Callable[..., Program]:
    """Start the server behind a proxy that is at an address, as the recipes do."""

    def serve(port: int, address: str) -> Program:
        command = [sys.executable, "-m", "scorekeeper", "--host", "127.0.0.1", "--port", str(port)]
        settings = {"SCOREKEEPER_URL": address, "SCOREKEEPER_PROXIES": "1"}
        folder = str(tmp_path / "games")
        program = Program(command, CHECKOUT, **settings, SCOREKEEPER_DATA=folder)
        return started.enter_context(program)

    return serve


@pytest.fixture
def caddy(started: ExitStack, tmp_path: Path) -> Callable[..., Path]:
    """Start Caddy, wait for its port, and return the certificate of its own authority."""
    program = shutil.which("caddy", path=PROGRAMS)
    if not program:
        pytest.skip("caddy is not installed")

    def start(port: int, *words: str) -> Path:
        proxy = subprocess.Popen(
            [program, *words],
            cwd=tmp_path,
            env=clean_environment(HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path / "data")),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        started.callback(proxy.wait)
        started.callback(proxy.terminate)
        authority = tmp_path / "data/caddy/pki/authorities/local/root.crt"
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and proxy.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return authority
            time.sleep(0.05)
        raise AssertionError("Caddy does not listen")

    return start


def write_caddyfile(folder: Path, site: str) -> tuple[str, ...]:
    """Write a Caddyfile that touches nothing of this computer; return the words that run it."""
    quiet = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
    (folder / "Caddyfile").write_text(quiet + site)
    return ("run", "--config", "Caddyfile", "--adapter", "caddyfile")


def test_caddy_without_a_domain_and_with_a_password(
    serve: Callable[..., Program], caddy: Callable[..., Path], tmp_path: Path
) -> None:
    port, behind = free_port(), free_port()
    address = f"https://nas.local:{port}"
    hashed = subprocess.run(
        ["caddy", "hash-password", "--plaintext", "secret"], stdout=subprocess.PIPE, text=True
    )
    site = recipe("https://nas.local {\n").replace("https://nas.local", address)
    site = site.replace("$2a$14$...", hashed.stdout.strip()).replace(":8000", f":{behind}")
    authority = caddy(port, *write_caddyfile(tmp_path, site))
    link = serve(behind, address).join_link
    stranger = Phone(address, port, authority)
    assert stranger.open("GET", "/").status == 401
    stranger.close()
    Phone(address, port, authority, login="ana:secret").play(link)
    with (
        socket.create_connection(("127.0.0.1", port)) as plain,
        pytest.raises(ssl.SSLCertVerificationError),
    ):
        ssl.create_default_context().wrap_socket(plain, server_hostname="nas.local")


def may_redirect() -> bool:
    """Return whether port 80 is free, from which Caddy redirects to https."""
    try:
        socket.create_server(("", 80)).close()
    except OSError:
        return False
    return True


def test_caddy_with_a_domain(
    serve: Callable[..., Program], caddy: Callable[..., Path], tmp_path: Path
) -> None:
    """All but the certificate, which Caddy signs itself here."""
    port, behind = free_port(), free_port()
    address = f"https://spades.example.org:{port}"
    found = re.search(r"^caddy (reverse-proxy --from (\S+) --to (\S+))$", HOSTING, re.MULTILINE)
    assert found
    command = found[1].replace(found[2], address).replace(":8000", f":{behind}")
    words = (*command.split(), "--internal-certs")
    if not may_redirect():  # the command would fail, where the same site without that does not
        site = f"{address} {{\n\ttls internal\n\treverse_proxy 127.0.0.1:{behind}\n}}\n"
        words = write_caddyfile(tmp_path, site)
    authority = caddy(port, *words)
    Phone(address, port, authority).play(serve(behind, address).join_link)


@pytest.mark.parametrize("takes_it_off", [False, True], ids=["passes it on", "takes it off"])
def test_caddy_below_a_path(
    serve: Callable[..., Program], caddy: Callable[..., Path], tmp_path: Path, takes_it_off: bool
) -> None:
    port, behind = free_port(), free_port()
    pattern = (
        r"`(handle_path /scores/\*[^`]+)`"
        if takes_it_off
        else r"`(reverse_proxy /scores/\S+\s\S+)`"
    )
    found = re.search(pattern, HOSTING)
    assert found
    directive = found[1].replace("{ ", "{\n").replace(" }", "\n}").replace(":8000", f":{behind}")
    address = f"http://home.example.org:{port}/scores"
    caddy(port, *write_caddyfile(tmp_path, f"http://home.example.org:{port} {{\n{directive}\n}}\n"))
    Phone(address, port, None).play(serve(behind, address).join_link)


@pytest.mark.parametrize("takes_it_off", [False, True], ids=["passes it on", "takes it off"])
def test_nginx_below_a_path(
    serve: Callable[..., Program], started: ExitStack, tmp_path: Path, takes_it_off: bool
) -> None:
    program = shutil.which("nginx", path=PROGRAMS)
    if not program:
        pytest.skip("nginx is not installed")
    port, behind = free_port(), free_port()
    headers = re.findall(
        r"^ +(proxy_(?:set_header|buffering|http_version) .*;)",
        (CHECKOUT / "scorekeeper/cli/deploy_files/nginx.conf").read_text("utf-8"),
        re.MULTILINE,
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in kinds)
    location = "location /scores/ { proxy_pass http://127.0.0.1:8000; "
    assert location in HOSTING
    location = location.replace(":8000;", f":{behind}/;" if takes_it_off else f":{behind};")
    site = "\n".join([f"server {{ listen 127.0.0.1:{port};", location, *headers, "} }"])
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid; events {{}} http {{ access_log off; {folders} {site} }}"
    )
    proxy = subprocess.Popen(
        [program, "-p", tmp_path, "-c", "nginx.conf", "-e", "stderr", "-g", "daemon off;"],
        stderr=subprocess.DEVNULL,
    )
    started.callback(proxy.wait)
    started.callback(proxy.terminate)
    address = f"http://home.example.org:{port}/scores"
    Phone(address, port, None).play(serve(behind, address).join_link)
