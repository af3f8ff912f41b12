"""`scorekeeper deploy`: the files it prints start the server and are accepted by the proxies."""

import configparser
import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from click.testing import CliRunner
from psycopg.conninfo import conninfo_to_dict

from scorekeeper.cli.deploy import FILES, deploy
from scorekeeper.config import MIN_KEY_LENGTH, secret_key
from tests.deployed import Deployed, printed, section, start_words, variables
from tests.program import CHECKOUT, clean_environment

OPTIONS = [
    *("--domain", "cards.example.net", "--port", "8123", "--user", "dealer"),
    *("--data", "/srv/spades", "--venv", "/opt/spades/.venv"),
]

# Debian's nginx is in a folder that only root looks into.
PROGRAMS = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])


def container_command(containerfile: str) -> list[str]:
    """Return the words of a Containerfile's CMD."""
    words: list[str] = json.loads(containerfile.rpartition("\nCMD ")[2])
    return words


OF_DATABASE = {"environment", "pgbouncer", "standby"}
OF_WATCHING = {"alerts", "dashboard"}
SEVERAL = [*("--app", "one.example.net:8123"), *("--app", "two.example.net:8123")]
DATABASES = [*("--db", "east.example.net"), *("--db", "west.example.net")]


@pytest.mark.parametrize("kind", sorted(FILES.keys() - OF_DATABASE - OF_WATCHING - {"compose"}))
def test_the_options_fill_every_file(kind: str) -> None:
    text = printed(kind, *OPTIONS)
    assert "cards.example.net" in text
    assert "8123" in text
    assert not re.search(r"spades\.example\.org|/var/lib/scorekeeper|\{\{", text)


@pytest.mark.parametrize("kind", sorted(OF_DATABASE))
def test_the_options_fill_every_file_of_the_database(kind: str) -> None:
    text = printed(kind, *OPTIONS, *DATABASES)
    assert "east.example.net" in text
    assert not re.search(r"(host=|[@,])db\d|\{\{", text)  # a random key may hold db and a digit


def test_systemd_starts_it_again_however_often_it_fails() -> None:
    unit = printed("systemd")
    assert section(unit, "Unit")["StartLimitIntervalSec"] == ["0"]
    assert section(unit, "Service")["Restart"] == ["on-failure"]


@pytest.mark.parametrize("path", ["/scores", "/scores/"])
@pytest.mark.parametrize("kind", ["systemd", "container", "compose", "nginx", "caddy"])
def test_the_pages_may_be_below_a_path(kind: str, path: str) -> None:
    text = printed(kind, *OPTIONS, "--path", path)
    below = {
        "nginx": "\n    location /scores/ {\n        proxy_pass http://scorekeeper;\n",
        "caddy": "\treverse_proxy /scores/* 127.0.0.1:8123\n",
        "compose": "SCOREKEEPER_URL: https://cards.example.net/scores\n",
    }.get(kind, "SCOREKEEPER_URL=https://cards.example.net/scores ")
    assert below in text
    assert "/scores" not in printed(kind, *OPTIONS)


@pytest.mark.parametrize("path", ["scores", "/a b", "//a", "/../a", "/a;b"])
def test_a_path_that_would_mean_something_else_is_refused(path: str) -> None:
    assert CliRunner().invoke(deploy, ["nginx", "--path", path]).exit_code == 2


def test_a_standby_needs_a_second_machine() -> None:
    assert CliRunner().invoke(deploy, ["standby", "--db", "alone"]).exit_code == 2


@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_the_proxies_know_every_machine(kind: str) -> None:
    text = printed(kind, *OPTIONS, *SEVERAL)
    assert all(machine in text for machine in SEVERAL[1::2])
    assert "127.0.0.1" not in text


def test_one_of_several_machines_is_reached_and_takes_the_settings_that_all_share() -> None:
    unit = printed("systemd", *OPTIONS, *SEVERAL)
    assert start_words(unit)[start_words(unit).index("-b") + 1] == "0.0.0.0:8123"
    (path,) = section(unit, "Service")["EnvironmentFile"]
    assert printed("environment").startswith(f"# {path},")
    assert "EnvironmentFile" not in section(printed("systemd"), "Service")


def test_the_shared_settings_name_the_databases_and_a_key_of_their_own() -> None:
    first, other = (printed("environment", *OPTIONS, *DATABASES) for _ in range(2))
    lines = [line for line in first.splitlines() if not line.startswith("#")]
    settings = dict(line.split("=", 1) for line in lines)
    url = conninfo_to_dict(settings["SCOREKEEPER_DATABASE"])
    assert url["host"] == "east.example.net,west.example.net"
    assert url["target_session_attrs"] == "read-write"
    assert url["user"] == "dealer"
    assert len(settings["SCOREKEEPER_SECRET"]) >= MIN_KEY_LENGTH
    assert settings["SCOREKEEPER_SECRET"] not in other


def test_the_shared_settings_have_the_key_of_the_games_that_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SCOREKEEPER_SECRET", raising=False)
    key = secret_key(tmp_path)
    assert f"\nSCOREKEEPER_SECRET={key}\n" in printed("environment", "--data", f"{tmp_path}")
    (tmp_path / "secret_key").chmod(0o644)
    ended = CliRunner().invoke(deploy, ["environment", "--data", f"{tmp_path}"])
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert "chmod 600" in ended.stderr


def test_the_unit_gives_up_what_the_server_does_not_need() -> None:
    service = section(printed("systemd"), "Service")
    for name in ("PrivateDevices", "ProtectKernelTunables", "ProtectControlGroups", "ProtectClock",
                 "RestrictNamespaces", "RestrictSUIDSGID", "LockPersonality"):  # fmt: skip
        assert service[name] == ["yes"]
    assert service["CapabilityBoundingSet"] == [""]
    assert service["SystemCallFilter"] == ["@system-service"]
    assert service["RestrictAddressFamilies"] == ["AF_INET AF_INET6 AF_UNIX"]


def test_a_kind_that_is_not_there_is_refused() -> None:
    assert CliRunner().invoke(deploy, ["apache"]).exit_code == 2


BREAKING = [f"a{character}b" for character in " \t\n\x7f'\"`;{}%$#\\"]
MACHINES = (
    "one",
    "one:",
    ":8000",
    "one:0",
    "one:65536",
    "one:x",
    "a b:1",
    "::1:80",
    "[::1]",
    "[x]:1",
)


@pytest.mark.parametrize("start", ["--domain=", "--user=", "--data=/", "--venv=/", "--db="])
@pytest.mark.parametrize("word", BREAKING)
def test_what_would_break_a_file_is_refused(start: str, word: str) -> None:
    refused(start + word)


@pytest.mark.parametrize(
    "option", ["--domain=", "--user=", "--db=", "--data=games", "--venv=.venv"]
)
def test_a_word_that_names_nothing_or_a_place_here_is_refused(option: str) -> None:
    refused(option)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_machine_without_a_host_or_port_is_refused(machine: str) -> None:
    refused(f"--app={machine}")


def refused(option: str) -> None:
    ended = CliRunner().invoke(deploy, ["systemd", option])
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert "isn’t" in ended.stderr or "is not in the range" in ended.stderr


@pytest.mark.parametrize("folder", ["/var/lib/../../etc", "/..", "/srv/..", "/srv/../"])
def test_a_folder_that_climbs_is_refused(folder: str) -> None:
    refused(f"--data={folder}")


def test_names_and_addresses_of_any_form_are_taken() -> None:
    assert "server [2001:db8::7]:8123;" in printed("nginx", "--app", "[2001:db8::7]:8123")
    assert "User=score_keeper-2" in printed("systemd", "--user", "score_keeper-2")
    assert "ReadWritePaths=/srv/..Zoë/a..b" in printed("systemd", "--data", "/srv/..Zoë/a..b")
    assert "ReadWritePaths=/srv/Zoë/spades.d" in printed("systemd", "--data", "/srv/Zoë/spades.d")


def test_the_unit_can_be_parsed() -> None:
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(printed("systemd"))
    assert parser.sections() == ["Unit", "Service", "Install"]


def test_the_unit_makes_or_opens_the_folder_of_the_games() -> None:
    assert section(printed("systemd"), "Service")["StateDirectory"] == ["scorekeeper"]
    elsewhere = section(printed("systemd", *OPTIONS), "Service")
    assert elsewhere["ReadWritePaths"] == ["/srv/spades"]
    assert "StateDirectory" not in elsewhere


def test_the_unit_makes_the_folder_that_the_workers_share_for_metrics() -> None:
    unit = printed("systemd", *OPTIONS)
    (folder,) = section(unit, "Service")["RuntimeDirectory"]
    assert variables(unit)["PROMETHEUS_MULTIPROC_DIR"] == f"/run/{folder}"
    container = printed("container", *OPTIONS)
    assert f"/run/{folder}\n" in container.partition("install -d")[2]


def test_the_unit_leaves_connections_and_files_free_of_streams() -> None:
    unit = printed("systemd")
    words = start_words(unit)
    connections = int(words[words.index("--worker-connections") + 1])
    assert connections >= 2 * int(variables(unit)["SCOREKEEPER_STREAMS"])
    assert int(section(unit, "Service")["LimitNOFILE"][0]) >= 2 * connections


def test_connections_are_kept_longer_than_the_proxies_keep_them() -> None:
    words = start_words(printed("systemd"))
    assert int(words[words.index("--keep-alive") + 1]) > 120  # Caddy's default; nginx has 60
    site = printed("nginx")
    assert re.search(r"^upstream scorekeeper \{[^}]*keepalive \d+;", site, re.MULTILINE)
    assert 'proxy_set_header Connection "";' in site


@pytest.mark.slow
def test_the_unit_serves_and_takes_no_address_from_a_header(tmp_path: Path) -> None:
    assert start_words(printed("systemd"))[0] == f"{sys.prefix}/bin/gunicorn"
    with Deployed(tmp_path, tmp_path / "log") as server:
        address = urlsplit(server.address)
        forged = {"Host": "spades.example.org", "Script_Name": "//elsewhere.invalid"}
        answers = []
        for path, headers in (
            ("//elsewhere.invalid/sw.js", forged),
            ("/healthz", forged),
            ("/sw.js", {"Host": "spades.example.org"}),
        ):
            connection = http.client.HTTPConnection(address.netloc, timeout=20)
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answers.append((answer.status, b"elsewhere.invalid" in answer.read()))
            connection.close()
    assert answers[1:] == [(200, False), (200, False)]
    assert answers[0][0] in (308, 404)


def test_the_container_starts_what_the_unit_starts() -> None:
    unit, container = printed("systemd"), printed("container")
    words = start_words(unit)
    words[0] = Path(words[0]).name
    assert container_command(container) == [
        word.replace("127.0.0.1:8000", "0.0.0.0:8000") for word in words
    ]
    environment = re.search(r"^ENV ((?:.*\\\n)*.*)$", container, re.MULTILINE)
    assert environment is not None
    settings = environment[1].replace("\\\n", " ").split()
    assert dict(setting.split("=", 1) for setting in settings) == variables(unit)


def test_the_services_are_those_of_the_checkout_with_the_domain_filled_in() -> None:
    there = (CHECKOUT / "compose.caddy.yaml").read_text("utf-8")
    filled = re.sub(r"\$\{DOMAIN[^}]*\}", "cards.example.net", there)
    assert yaml.safe_load(printed("compose", *OPTIONS)) == yaml.safe_load(filled)


def copied_into(containerfile: str) -> list[str]:
    """Return the names of what a Containerfile copies."""
    copied = re.findall(r"^COPY (.+) /source/(\S*)$", containerfile, re.MULTILINE)
    return [name for names, _target in copied for name in names.split()]


def test_what_the_container_copies_makes_a_wheel_and_no_more(tmp_path: Path) -> None:
    names = copied_into(printed("container"))
    assert names == copied_into((CHECKOUT / "Containerfile").read_text("utf-8"))
    assert "instance" not in names
    ignored = (CHECKOUT / ".dockerignore").read_text("utf-8").split()
    assert sorted(f"!{name}" for name in names) == [line for line in ignored if line[0] == "!"]
    source = tmp_path / "source"
    source.mkdir()
    for name in names:
        path = CHECKOUT / name
        if path.is_dir():
            shutil.copytree(path, source / name)
        else:
            shutil.copy(path, source / name)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel"], cwd=source, check=True
    )
    assert list((source / "dist").glob("spades_scorekeeper-*.whl"))


@pytest.fixture
def nginx(tmp_path: Path) -> list[str]:
    """The words that start nginx with the configuration in a folder, which has a certificate."""
    program = shutil.which("nginx", path=PROGRAMS)
    if not program or not shutil.which("openssl"):
        pytest.skip("nginx or openssl is not installed")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"),
            *("-subj", "/CN=cards.example.net", "-keyout", tmp_path / "privkey.pem"),
            *("-out", tmp_path / "fullchain.pem"),
        ],
        check=True,
        capture_output=True,
    )
    return [program, *map(str, ("-p", tmp_path, "-c", tmp_path / "nginx.conf", "-e", "stderr"))]


def write_site(folder: Path, site: str) -> None:
    """Write a printed site into a configuration of nginx that needs nothing outside a folder."""
    site = site.replace("/etc/letsencrypt/live/cards.example.net", "")
    site = re.sub(r"(ssl_certificate(?:_key)?) /", rf"\1 {folder}/", site)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    whole = f"pid {folder}/pid; events {{}} http {{ {folders} {site} }}"
    (folder / "nginx.conf").write_text(whole)


@pytest.mark.parametrize("machines", [[], SEVERAL], ids=["one machine", "two machines"])
def test_nginx_takes_its_configuration(
    tmp_path: Path, nginx: list[str], machines: list[str]
) -> None:
    site = printed("nginx", *OPTIONS, *machines)
    site = re.sub(r"\b(one|two)\.example\.net", "127.0.0.1", site)  # nginx looks names up
    # Only root may listen on port 80, and testing the configuration opens the sockets.
    site = re.sub(r"listen (\[::\]:)?(\d+)", rf"listen unix:{tmp_path}/\2\1", site)
    write_site(tmp_path, site)
    ended = subprocess.run([*nginx, "-t"], capture_output=True, encoding="utf-8")
    assert ended.returncode == 0, ended.stderr


class Everything(BaseHTTPRequestHandler):
    """A server that answers every request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_arguments: object) -> None:
        pass


@pytest.fixture
def proxied(tmp_path: Path, nginx: list[str]) -> Iterator[tuple[int, int]]:
    """The ports for http and https of a running nginx with the printed site."""
    behind = ThreadingHTTPServer(("127.0.0.1", 0), Everything)
    threading.Thread(target=behind.serve_forever, daemon=True).start()
    plain, safe = free_ports(2)
    site = printed("nginx", *OPTIONS, "--port", f"{behind.server_port}")
    site = re.sub(r" *listen \[::\].*\n", "", site)
    for printed_limit, small in (("rate=100r/s", "rate=10r/s"), ("burst=500", "burst=50")):
        assert printed_limit in site  # which takes some seconds to exceed
        site = site.replace(printed_limit, small)
    site = site.replace("listen 80", f"listen 127.0.0.1:{plain}")
    write_site(tmp_path, site.replace("listen 443", f"listen 127.0.0.1:{safe}"))
    running = subprocess.Popen([*nginx, "-g", "daemon off;"], stderr=subprocess.DEVNULL)
    for _attempt in range(100):
        with suppress(OSError), socket.create_connection(("127.0.0.1", safe), 1):
            break
        time.sleep(0.05)
    yield plain, safe
    running.terminate()
    running.wait(timeout=10)
    behind.shutdown()
    behind.server_close()


def free_ports(how_many: int) -> list[int]:
    """Return ports of this computer on which nobody listens."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _port in range(how_many)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def trusting() -> ssl.SSLContext:
    """Return a context that takes any certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@pytest.mark.slow
def test_nginx_redirects_to_the_public_name_whatever_the_request_calls_it(
    proxied: tuple[int, int],
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", proxied[0], timeout=10)
    connection.request("GET", "/join/key", headers={"Host": "elsewhere.invalid"})
    answer = connection.getresponse()
    connection.close()
    assert (answer.status, answer.headers["Location"]) == (
        301,
        "https://cards.example.net/join/key",
    )


@pytest.mark.slow
def test_nginx_refuses_a_flood_from_one_address_and_no_other(proxied: tuple[int, int]) -> None:
    def statuses(source: str, how_many: int) -> set[int]:
        connection = http.client.HTTPSConnection(
            "127.0.0.1", proxied[1], timeout=10, source_address=(source, 0), context=trusting()
        )
        found = set()
        for _request in range(how_many):
            connection.request("GET", "/", headers={"Host": "cards.example.net"})
            answer = connection.getresponse()
            answer.read()
            found.add(answer.status)
        connection.close()
        return found

    with ThreadPoolExecutor(8) as strangers:
        flood = [strangers.submit(statuses, "127.0.0.1", 40) for _stranger in range(8)]
        assert statuses("127.0.0.2", 12) == {200}  # what a phone asks that opens the app
        assert set().union(*(one.result() for one in flood)) == {200, 429}


@pytest.mark.slow
def test_nginx_speaks_http_2(proxied: tuple[int, int]) -> None:
    context = trusting()
    context.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection(("127.0.0.1", proxied[1]), 10) as plain,
        context.wrap_socket(plain) as safe,
    ):
        assert safe.selected_alpn_protocol() == "h2"


@pytest.mark.parametrize("machines", [[], SEVERAL], ids=["one machine", "two machines"])
def test_caddy_takes_its_configuration(tmp_path: Path, machines: list[str]) -> None:
    if not (caddy := shutil.which("caddy", path=PROGRAMS)):
        pytest.skip("caddy is not installed")
    (tmp_path / "Caddyfile").write_text(printed("caddy", *OPTIONS, *machines))
    ended = subprocess.run(
        [caddy, "validate", "--config", "Caddyfile", "--adapter", "caddyfile"],
        cwd=tmp_path,
        env=clean_environment(HOME=str(tmp_path)),
        capture_output=True,
        encoding="utf-8",
    )
    assert ended.returncode == 0, ended.stderr


def words_of(caddyfile: str) -> list[str]:
    """Return the words of a Caddyfile without its comments."""
    return re.sub(r"#.*", "", caddyfile).split()


def test_caddy_in_a_container_has_the_limits_of_the_printed_file(tmp_path: Path) -> None:
    services = yaml.safe_load(printed("compose", *OPTIONS))["services"]
    site = services["caddy"]["environment"]["CADDYFILE"]
    alone = printed("caddy", *OPTIONS).replace("cards.example.net {", "https://cards.example.net {")
    assert words_of(site) == words_of(alone.replace("127.0.0.1:8123", "scorekeeper:8000"))
    *shell, line = services["caddy"]["command"]
    assert shell == ["sh", "-c"]
    if not (caddy := shutil.which("caddy", path=PROGRAMS)):
        pytest.skip("caddy is not installed")
    ended = subprocess.run(
        [*shell, line.replace("/tmp/", f"{tmp_path}/").replace("caddy run", f"{caddy} validate")],
        env=clean_environment(HOME=str(tmp_path), CADDYFILE=site),
        capture_output=True,
        encoding="utf-8",
    )
    assert ended.returncode == 0, ended.stderr


def test_the_unit_for_home_gives_up_as_much_as_a_user_can() -> None:
    text = (CHECKOUT / "docs/hosting.md").read_text("utf-8")
    home = section(text.partition("<<'UNIT'\n")[2].partition("\nUNIT\n")[0], "Service")
    public = section(printed("systemd"), "Service")
    for_root = {"CapabilityBoundingSet", "ProtectProc", "RemoveIPC"}
    shared = [name for name, values in public.items() if values == ["yes"]]
    assert {name for name in shared if home.get(name) != ["yes"]} <= {*for_root, "ProtectHome"}
    assert home["ProtectHome"] == ["read-only"]
    assert home["ReadWritePaths"] == ["%h/scorekeeper/instance"]
    assert home["SystemCallFilter"] == public["SystemCallFilter"]
    assert home["RestrictAddressFamilies"] == public["RestrictAddressFamilies"]


@pytest.mark.parametrize("file", ["compose.yaml", "compose.caddy.yaml", "deploy compose"])
def test_containers_are_read_only_and_have_no_rights_of_root(file: str) -> None:
    text = printed("compose") if file == "deploy compose" else (CHECKOUT / file).read_text("utf-8")
    for service in yaml.safe_load(text)["services"].values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert set(service.get("cap_add", [])) <= {"NET_BIND_SERVICE"}
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["pids_limit"]
        assert service["mem_limit"]
