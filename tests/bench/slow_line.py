"""A bad mobile connection in front of a server: Lighthouse's "slow 4G" or worse, by packets.

Every connection takes a round trip to open and begins with ten packets a round trip, twice as many
in each after that, as TCP does; all connections together get 1.6 Mbit/s. A line that hangs keeps
its connections open and delivers nothing.
"""

import queue
import socket
import threading
import time
from urllib.parse import urlsplit

ROUND_TRIP = 0.150  # seconds
RATE = 1.6e6 / 8  # bytes a second
PACKET, FIRST_PACKETS = 1460, 10


class SlowLine:
    """A relay; `address` is where a browser finds the server behind it.

    `received` counts the bytes that came from the server.
    """

    def __init__(self, address: str, round_trip: float = ROUND_TRIP) -> None:
        self.round_trip, self.received, self.hangs = round_trip, 0, False
        parts = urlsplit(address)
        self._server = (parts.hostname, parts.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._free, self._lock = 0.0, threading.Lock()
        _begin(self._accept)

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                phone, _address = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._server)
            for line in (phone, server):
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _begin(self._up, phone, server)
            _begin(self._down, server, phone)

    def _up(self, phone: socket.socket, server: socket.socket) -> None:
        late = _Late(self, server)
        opened = time.perf_counter() + self.round_trip
        while data := _read(phone):
            late.send(data, max(opened, time.perf_counter()) + self.round_trip / 2)
        late.send(b"", time.perf_counter())

    def _down(self, server: socket.socket, phone: socket.socket) -> None:
        late = _Late(self, phone)
        window, in_flight, began = FIRST_PACKETS, 0, 0.0
        while data := _read(server):
            self.received += len(data)
            if time.perf_counter() - began > self.round_trip:
                in_flight, began = 0, time.perf_counter()
            for start in range(0, len(data), PACKET):
                if in_flight == window:
                    time.sleep(max(0.0, began + self.round_trip - time.perf_counter()))
                    window, in_flight, began = 2 * window, 0, time.perf_counter()
                packet = data[start : start + PACKET]
                in_flight += 1
                late.send(packet, self._turn(len(packet)) + self.round_trip / 2)
        late.send(b"", time.perf_counter())

    def _turn(self, size: int) -> float:
        """Return when so many bytes are through, after all those that came before."""
        with self._lock:
            self._free = max(self._free, time.perf_counter()) + size / RATE
            return self._free


class _Late:
    """Hands on what it is given at the time it is given for, in order."""

    def __init__(self, line: SlowLine, to: socket.socket) -> None:
        self._line, self._to = line, to
        self._waiting: queue.Queue[tuple[bytes, float]] = queue.Queue()
        _begin(self._run)

    def send(self, data: bytes, at: float) -> None:
        self._waiting.put((data, at))

    def _run(self) -> None:
        while True:
            data, at = self._waiting.get()
            time.sleep(max(0.0, at - time.perf_counter()))
            while self._line.hangs:
                time.sleep(0.05)
            try:
                if not data:
                    self._to.close()
                    return
                self._to.sendall(data)
            except OSError:
                return


def _begin(what: object, *given: object) -> None:
    threading.Thread(target=what, args=given, daemon=True).start()


def _read(line: socket.socket) -> bytes:
    try:
        return line.recv(1 << 16)
    except OSError:
        return b""
