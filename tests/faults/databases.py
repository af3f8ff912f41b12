"""Faults of PostgreSQL while phones record at two machines."""

import os
import random
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Self
from urllib.parse import quote

from tests.deployed import printed
from tests.faults.ledger import Tale
from tests.faults.machines import PATIENCE, Machines
from tests.faults.pairs import Pair, race_pairs
from tests.faults.phone import Phone
from tests.faults.room import fill_with, small_disk
from tests.postgresql import Cluster
from tests.program import clean_environment, fetch

MAX_PLAY = 0.5  # seconds from the first tap to the fault
STOPPED = 15.0  # seconds
DISK = 160 * 1024 * 1024  # bytes of a disk that is soon full
FULL = 3.0  # seconds
CUTTING = 3.0  # seconds
CUT_CHANCE = 0.2  # of a commit that its connection is cut before it, and the same after it
ACCEPT = "SET synchronous_commit = on; COMMENT ON TABLE changes IS 'accepted {}'"
SOCKET = ".s.PGSQL.5432"
PROGRAMS = f"{os.environ.get('PATH', '')}:/usr/sbin"
CADDY, NGINX, PGBOUNCER = (
    shutil.which(name, path=PROGRAMS) for name in ("caddy", "nginx", "pgbouncer")
)


def kill_server(folder: Path, times: int, tale: Tale, *, settings: str = "") -> None:
    """Kill the server of the database, or end it as a power failure does, and start it again."""
    cluster, dice = Cluster(fsync=True, settings=settings), random.Random(1)
    with cluster, Machines(folder, cluster.url) as machines:
        for number in range(times):
            end = cluster.stop_at_once if number % 2 else cluster.kill
            steps = [end, cluster.start]
            if settings:  # with which it may lose changes, and is refused then
                steps.append(partial(cluster.execute, ACCEPT.format(number)))
            machines.play_through(_in_turn(*steps), tale, dice.uniform(0, MAX_PLAY))
            if tale.is_bad:
                break
        machines.sum_up(tale)


def fail_over(folder: Path, times: int, tale: Tale) -> None:
    """Kill the primary and promote its synchronous standby, which then gets one of its own."""
    primary, dice = Cluster(fsync=True), random.Random(2)
    longest = 0.0
    with ExitStack() as opened:
        opened.enter_context(primary)
        standby = opened.enter_context(Cluster(fsync=True, standby_of=primary))
        hosts = ",".join(quote(str(one.socket)) for one in (primary, standby))
        url = f"postgresql://scorekeeper@/postgres?host={hosts}&target_session_attrs=read-write"
        machines = opened.enter_context(Machines(folder, url))
        for _ in range(times):
            fault = _in_turn(primary.kill, standby.promote)
            gap = machines.play_through(fault, tale, dice.uniform(0, MAX_PLAY))
            longest = max(longest, gap.seconds)
            if tale.is_bad:
                break
            primary, standby = standby, primary
            standby.follow(primary)
        machines.sum_up(tale)
        tale.sees += f"; no tap was taken for {longest:.1f} s at most"


def stop_server(folder: Path, times: int, tale: Tale) -> None:
    """Let the server of the database stand still: phones are told so, and nobody waits for ever."""
    cluster = Cluster(fsync=True)

    def stand_still() -> None:
        with cluster.stopped():
            time.sleep(STOPPED)

    with cluster, Machines(folder, cluster.url) as machines:
        for _ in range(times):
            gap = machines.play_through(stand_still, tale)
            if not gap.refused:
                tale.wrong.append("no tap was refused meanwhile")
            if gap.longest > STOPPED:
                tale.wrong.append(f"a phone waited {gap.longest:.0f} s for an answer")
            if tale.is_bad:
                break
        machines.sum_up(tale)


def restart_pooler(folder: Path, times: int, tale: Tale) -> None:
    """Kill pgbouncer, which lends a connection for one transaction, and start it again."""
    cluster, dice = Cluster(fsync=True), random.Random(3)
    with cluster, Pooler(folder, cluster) as pooler:
        direct = {"SCOREKEEPER_DATABASE_DIRECT": cluster.url}
        with Machines(folder, pooler.url, **direct) as machines:
            for _ in range(times):
                fault = _in_turn(pooler.kill, pooler.start)
                machines.play_through(fault, tale, dice.uniform(0, MAX_PLAY))
                if tale.is_bad:
                    break
            machines.sum_up(tale)


def cut_commits(folder: Path, times: int, tale: Tale) -> None:
    """Cut connections before a commit arrives, or before its answer does."""
    cluster = Cluster(fsync=True)
    n_cut = 0
    with cluster, Cutter(folder, cluster) as cutter, Machines(folder, cutter.url) as machines:

        def cut_often() -> None:
            with cutter.cutting():
                time.sleep(CUTTING)

        for _ in range(times):
            machines.play_through(cut_often, tale)
            if tale.is_bad:
                break
        machines.sum_up(tale)
        n_cut = cutter.before, cutter.after
    if not all(n_cut):
        tale.wrong.append(f"cut before and after a commit: {n_cut}")
    tale.sees = "“The server lost its database, so this may not be saved”"


def fill_disk(folder: Path, times: int, tale: Tale) -> None:
    """Fill the disk of the database to the last byte, and give it room again."""
    with small_disk(folder / "disk", DISK) as reason:
        if reason:
            tale.sees = f"not tried: {reason}"
            return
        cluster = Cluster(fsync=True, parent=folder / "disk")

        def fill() -> None:
            filler = cluster.socket / "filler"
            fill_with(filler)
            time.sleep(FULL)
            filler.unlink()
            if not cluster.is_running:
                cluster.start()

        with cluster, Machines(folder, cluster.url) as machines:
            for _ in range(times):
                gap = machines.play_through(fill, tale)
                if not gap.refused:
                    tale.wrong.append("the disk was not full")
                if tale.is_bad:
                    break
            machines.sum_up(tale)


def restart_machines(folder: Path, times: int, tale: Tale) -> None:
    """Restart one machine after the other behind Caddy and nginx, as `scorekeeper deploy` has them.

    Each proxy has half of the phones, and those who look on at the games of the other half.
    """
    cluster = Cluster(fsync=True)
    with cluster, Machines(folder, cluster.url, proxies=lambda a: _proxies(folder, a)) as machines:
        for _ in range(times):
            machines.play_through(machines.restart, tale)
            if tale.is_bad:
                break
        machines.sum_up(tale)
    tale.sees = "nothing, or a tap is sent again"


@contextmanager
def _proxies(folder: Path, addresses: list[str]) -> Iterator[list[str]]:
    with caddy(folder, addresses) as one, nginx(folder, addresses) as other:
        yield [one, other]


@contextmanager
def caddy(folder: Path, addresses: list[str]) -> Iterator[str]:
    assert CADDY is not None
    port = _free_port()
    site = printed("caddy", "--domain", "localhost", *_apps(addresses))
    site = site.replace("\nlocalhost {", f"\nhttp://localhost:{port} {{")
    (folder / "Caddyfile").write_text(site.replace("\n{\n", "\n{\n\tadmin off\n", 1))
    command = [CADDY, "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]
    with _running(command, folder, f"http://localhost:{port}") as address:
        yield address


EVENTS = "events { worker_connections 16384; }"  # as the printed file says of many streams


@contextmanager
def nginx(folder: Path, addresses: list[str], rate: int = 10_000) -> Iterator[str]:
    """Run nginx without TLS, as one process, with all of its files in a folder.

    All phones have one address here and tap faster than people, so its limit of requests a second
    is raised.
    """
    assert NGINX is not None
    port = _free_port()
    site = printed("nginx", "--domain", "localhost", *_apps(addresses))
    site = re.sub(r"server \{\n    listen 80;.*?\n\}\n", "", site, flags=re.DOTALL)
    site = re.sub(r"    (ssl_certificate|listen \[::\]).*\n", "", site)
    site = site.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    site = site.replace("rate=100r/s", f"rate={rate}r/s")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    whole = f"daemon off; master_process off; pid {folder}/pid; {EVENTS}"
    (folder / "nginx.conf").write_text(f"{whole}\nhttp {{\n{folders}{site}}}\n")
    command = [NGINX, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "nginx.log"]
    with _running(command, folder, f"http://localhost:{port}") as address:
        yield address


def _apps(addresses: list[str]) -> list[str]:
    return [f"--app={address.removeprefix('http://')}" for address in addresses]


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


@contextmanager
def _running(command: list[str | Path], folder: Path, address: str) -> Iterator[str]:
    """Run a proxy for a block, which begins once it answers at an address."""
    process = subprocess.Popen(
        command,
        env=clean_environment(HOME=str(folder)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with suppress(OSError):
                fetch(f"{address}/healthz")
                break
            time.sleep(0.05)
        yield address
    finally:
        process.kill()
        process.wait()


def race_machines(folder: Path, times: int, tale: Tale) -> None:
    """Let two phones of a table tap at the same instant, each at a machine of its own."""
    cluster = Cluster(fsync=True)
    with cluster, Machines(folder, cluster.url, phones=1) as machines:
        keeper = machines.keepers[0]
        second = Phone(machines.servers[1].address)
        second.join(f"{machines.servers[1].address}/join/{machines.keys[0]}", "the second phone")
        pair = Pair(machines.store, keeper.phone, second, game_id=keeper.game.id)
        race_pairs(pair, times, tale)
        second.close()
        tale.check(machines.store)
    tale.sees = "of two that differ one stands, and the other phone is shown both"


class Pooler:
    """pgbouncer in front of a server, as `scorekeeper deploy pgbouncer` sets it up."""

    def __init__(self, folder: Path, cluster: Cluster) -> None:
        assert PGBOUNCER is not None
        self._process: subprocess.Popen[bytes] | None = None
        self._run_as = cluster.run_as
        self._folder = cluster.socket / "pooler"
        self._folder.mkdir()
        (self._folder / "users").write_text('"scorekeeper" ""\n')
        text = printed("pgbouncer")
        for setting, value in {
            "scorekeeper": f"host={cluster.socket} dbname=postgres",
            "listen_addr": "",
            "listen_port": "5432",
            "unix_socket_dir": self._folder,
            "auth_type": "trust",
            "auth_file": self._folder / "users",
            "logfile": self._folder / "log",
            "pidfile": self._folder / "pid",
        }.items():
            text, found = re.subn(rf"(?m)^{setting} =.*$", f"{setting} = {value}", text)
            assert found == 1, setting
        (self._folder / "pgbouncer.ini").write_text(text)
        for path in (self._folder, *self._folder.iterdir()):
            if self._run_as:
                shutil.chown(path, "postgres")
        self.url = f"postgresql://scorekeeper@/scorekeeper?host={quote(str(self._folder))}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()

    def start(self) -> None:
        (self._folder / SOCKET).unlink(missing_ok=True)
        (self._folder / "pid").unlink(missing_ok=True)
        command = [*self._run_as, str(PGBOUNCER), "-q", str(self._folder / "pgbouncer.ini")]
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while not (self._folder / SOCKET).exists():
            assert self._process.poll() is None, (self._folder / "log").read_text()
            time.sleep(0.01)

    def kill(self) -> None:
        assert self._process is not None
        os.kill(int((self._folder / "pid").read_text()), 9)
        self._process.wait()


class Cutter:
    """A proxy in front of a server, which cuts connections where a commit passes."""

    def __init__(self, folder: Path, cluster: Cluster) -> None:
        self._server, self._folder = cluster.socket / SOCKET, folder / "cutter"
        self._folder.mkdir()
        self._dice = random.Random(4)
        self._cuts = False
        self.before = self.after = 0  # cut before a commit arrived, and before its answer did
        self.url = f"postgresql://scorekeeper@/postgres?host={quote(str(self._folder))}"
        self._listening = socket.socket(socket.AF_UNIX)

    def __enter__(self) -> Self:
        self._listening.bind(str(self._folder / SOCKET))
        self._listening.listen(100)
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)  # which ends the wait for the next
        self._listening.close()

    @contextmanager
    def cutting(self) -> Iterator[None]:
        """Cut connections during a block."""
        self._cuts = True
        try:
            yield
        finally:
            self._cuts = False

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                try:
                    server.connect(str(self._server))
                except OSError:
                    server.close()
                    client.close()
                    continue
                threading.Thread(target=self._serve, args=[client, server], daemon=True).start()

    def _serve(self, client: socket.socket, server: socket.socket) -> None:
        with client, server:
            answers = threading.Thread(target=self._pass_on, args=[server, client, True])
            answers.start()
            self._pass_on(client, server, False)
            answers.join()

    def _pass_on(self, source: socket.socket, target: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while part := source.recv(1 << 16):
                commits = b"COMMIT\0" in part and self._cuts
                if commits and self._dice.random() < CUT_CHANCE:
                    self.after += answers
                    self.before += not answers
                    break
                target.sendall(part)
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


def _in_turn(*steps: Callable[[], object]) -> Callable[[], None]:
    def take() -> None:
        for step in steps:
            step()

    return take


# What a fault needs that is not installed here.
MISSING: dict[Callable[..., object], str] = {
    fault: name
    for fault, name, path in (
        (restart_pooler, "pgbouncer", PGBOUNCER),
        (restart_machines, "Caddy or nginx", CADDY and NGINX),
    )
    if path is None
}
