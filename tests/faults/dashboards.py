"""Programs that follow a whole table, while its server and they themselves are killed."""

import http.client
import json
import random
import re
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any, Self

import pytest

from scorekeeper.clock import now
from scorekeeper.store.opening import open_store
from scorekeeper.store.tables import make_join_key, server_table
from tests.faults.ledger import Tale
from tests.program import CHECKOUT, Program, clean_environment

PLAYERS = 3  # games at the same time
MAX_PLAY = 0.3  # seconds from a change to the kill
PATIENCE = 60  # seconds
ROUND = {"bids": [3, 2, "nil", 4], "tricks": [3, 4, 0, 3]}
PLAYED = 10  # rounds until a game to 500 is over
# Notes the id and the name of each event in one write, and goes on after the last one it noted.
FOLLOWER = """
import http.client, os, sys, time, urllib.request
server, key, path = sys.argv[1:]
notes = os.open(path, os.O_APPEND | os.O_RDWR | os.O_CREAT)
while True:
    try:
        said = open(path).read().split()
        asked = urllib.request.Request(f"{server}/api/events")
        asked.add_header("Authorization", f"Bearer {key}")
        asked.add_header("Last-Event-ID", said[-2] if said else "0")
        event = {}
        for line in urllib.request.urlopen(asked, timeout=20):
            name, _, value = line.decode().rstrip("\\n").partition(": ")
            if name:
                event[name] = value
            elif "data" in event:
                os.write(notes, f"{event['id']} {event['event']}\\n".encode())
                event = {}
    except (OSError, http.client.HTTPException):
        time.sleep(0.1)
"""


class Server:
    """The server at one address, however often it is killed, and a key of its table."""

    def __init__(self, folder: Path, url: str = "") -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.settings = {"SCOREKEEPER_DATA": str(folder)}
        if url:
            self.settings |= {"SCOREKEEPER_DATABASE": url, "SCOREKEEPER_SECRET": "s" * 40}
        self.program = self.start()
        self.key = self._make_key(folder, url)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()

    def start(self) -> Program:
        """Start it, at first or after it was killed."""
        options = ["--host", "127.0.0.1", "--port", str(self.port)]
        command = [sys.executable, "-m", "scorekeeper", *options]
        self.program = Program(command, CHECKOUT, **self.settings)
        return self.program

    def kill(self) -> None:
        """Kill it without warning."""
        self.program.kill()
        self.program.process.communicate()

    def _make_key(self, folder: Path, url: str) -> str:
        with pytest.MonkeyPatch.context() as patch:
            if url:
                patch.setenv("SCOREKEEPER_DATABASE", url)
            with open_store(folder) as store, store.write() as db:
                return make_join_key(db, server_table(db, now()), "a dashboard", now())

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send a request until it is answered; sending it again is safe."""
        headers |= {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
            try:
                connection.request(method, f"/api/{path}", body and json.dumps(body), headers)
                answer = connection.getresponse()
                told = json.loads(answer.read())
                if answer.status < 500:
                    assert answer.status < 300, told
                    return told
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(0.05)
            finally:
                connection.close()
        raise AssertionError("no answer")

    def play(self, name: str, counted: list[str], target: int = 500) -> None:
        """Play a game to its end, and count what must be told of it."""
        game = self.call(
            "POST",
            "games",
            {
                "rules": "cutthroat-lite",
                "players": ["Ana", "Ben", "Cy", "Dana"],
                "house_rules": {"target": target},
            },
            **{"Idempotency-Key": name},
        )
        counted.append(f"{game['id']}-1 started")
        for number in count(1):
            path, seen = f"games/{game['id']}/rounds/{number}", game["version"]
            game = self.call("PUT", path, ROUND, **{"If-Match": f'"{seen}"'})
            is_over = game["phase"] == "over"
            counted.append(f"{game['id']}-{game['version']} {'over' if is_over else 'scored'}")
            if is_over:
                return


def follow(server: Server, notes: Path) -> "subprocess.Popen[bytes]":
    """Start a program that notes what it is told of the table."""
    return subprocess.Popen(
        [sys.executable, "-c", FOLLOWER, server.address, server.key, str(notes)],
        env=clean_environment(),
    )


def kill_both(server: Server, notes: Path, times: int, tale: Tale) -> Tale:
    """Kill the server and who follows its table, while games are played; compare in the end."""
    dice, ended = random.Random(1), threading.Event()
    games: list[list[str]] = []  # what was acknowledged, counted by those who play

    def play_on(player: int) -> None:
        for number in count():
            if ended.is_set():
                return
            games.append([])
            try:
                server.play(f"{player}-{number}", games[-1])
            except AssertionError as wrong:
                tale.wrong.append(f"player {player}: {wrong}")
                return

    players = [threading.Thread(target=play_on, args=[n], daemon=True) for n in range(PLAYERS)]
    follower = follow(server, notes)
    try:
        for player in players:
            player.start()
        for _ in range(times):
            _wait_for_more(games)
            time.sleep(dice.uniform(0, MAX_PLAY))
            server.kill()
            server.start()
            follower.kill()
            follower.wait()
            follower = follow(server, notes)
            tale.times += 1
        ended.set()
        for player in players:
            player.join(timeout=2 * PATIENCE)
        _wait_for_lines(notes, sum(map(len, games)))
    finally:
        ended.set()
        follower.kill()
        follower.wait()
    compare(games, notes.read_text().splitlines(), tale)
    return tale


def compare(games: Sequence[Sequence[str]], noted: Sequence[str], tale: Tale) -> None:
    """Compare what was acknowledged of each game, in its order, with what a program has noted."""
    told = [re.sub(r"-[0-9a-f]{12} ", " ", line) for line in noted]
    due, found = Counter(chain.from_iterable(games)), Counter(told)
    tale.acknowledged += due.total()
    tale.lost += [f"not told: {line}" for line in (due - found).elements()]
    tale.doubled += [f"told again: {line}" for line in (found - due).elements()]
    places = {line: place for place, line in enumerate(told)}
    for game in games:
        order = [places[line] for line in game if line in places]
        if order != sorted(order):
            tale.wrong.append(f"out of order: {game[0]}")
    tale.sees = "a dashboard goes on where it stopped"


def _wait_for_more(games: Sequence[Sequence[str]]) -> None:
    """Wait for another change, but not for ever."""
    before, until = sum(map(len, games)), time.monotonic() + PATIENCE
    while sum(map(len, games)) == before and time.monotonic() < until:
        time.sleep(0.01)


def _wait_for_lines(notes: Path, due: int) -> None:
    """Wait until a program has noted as many events, and as long as it takes to note one twice."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if notes.exists() and len(notes.read_text().splitlines()) >= due:
            break
        time.sleep(0.05)
    time.sleep(MAX_PLAY)
