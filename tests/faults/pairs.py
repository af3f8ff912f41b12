"""Two servers on one folder, and a phone at each of them that taps at the same instant."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from scorekeeper.rules.round import Round
from tests.faults.keeper import rounds_text
from tests.faults.kills import Installation
from tests.faults.ledger import Place, Tale, lines_of, reading
from tests.faults.phone import Answer, Phone

TABLE_SEES = "of two that differ one stands, and the other phone is shown both"
KINDS = ("differ", "alike", "undo")


class Pair:
    """Two phones of one table, at one game, each at a server of its own."""

    def __init__(self, place: Place, *phones: Phone, game_id: str) -> None:
        self.place, self.phones, self.game_id = place, phones, game_id
        self._together = threading.Barrier(len(phones))
        self._threads = ThreadPoolExecutor(len(phones))

    def at_once(self, path: str, *fields: dict[str, object]) -> list[Answer]:
        """Send one form from each phone at the same instant."""
        sends = [
            self._sending(phone, path, one) for phone, one in zip(self.phones, fields, strict=True)
        ]
        return [done.result() for done in [self._threads.submit(send) for send in sends]]

    def bid(self, version: int, *bids: int) -> list[Answer]:
        """Bid for the same seat from each phone."""
        rounds = [rounds_text(Round((bid, None, None, None))) for bid in bids]
        return self.at_once("rounds/1/sent", *[{"seen": version, "rounds": one} for one in rounds])

    def undo(self, version: int) -> list[Answer]:
        """Undo the change of a version from each phone."""
        sent = [{"version": version}] * len(self.phones)
        return self.at_once(f"lines/{version}/undo", *sent)

    @property
    def version(self) -> int:
        """The version that is kept."""
        with reading(self.place) as db:
            return lines_of(db, self.game_id)[-1].version

    def end(self) -> None:
        """Put the phones away."""
        self._threads.shutdown()
        for phone in self.phones:
            phone.close()

    def _sending(self, phone: Phone, path: str, fields: dict[str, object]) -> Callable[[], Answer]:
        def send() -> Answer:
            self._together.wait()
            return phone.post(f"/games/{self.game_id}/{path}", **fields)

        return send


def race(installation: Installation, pairs: int, tale: Tale) -> Tale:
    """Let two phones tap at the same instant, each through a server of its own."""
    keeper = installation.keepers[0]
    with installation.start() as one, installation.start() as other:
        keeper.phone.move(one.address)
        second = Phone(other.address)
        second.join(other.join_link, "the second phone")
        pair = Pair(installation.folder, keeper.phone, second, game_id=keeper.game.id)
        race_pairs(pair, pairs, tale)
        pair.end()
        ended = [program.stop() for program in (one, other)]
    if ended != [0, 0]:
        tale.wrong.append(f"the servers ended with {ended}")
    tale.check(installation.folder)
    tale.sees = TABLE_SEES
    return tale


def race_pairs(pair: Pair, times: int, tale: Tale) -> None:
    """Let two phones tap at the same instant, often."""
    for number in range(times):
        _one_pair(pair, KINDS[number % len(KINDS)], number, tale)
        tale.times += 1
        if tale.is_bad:
            break


def _one_pair(pair: Pair, kind: str, number: int, tale: Tale) -> None:
    version, bid = pair.version, number % 9 + 1
    if kind == "differ":
        answers, due = pair.bid(version, bid, bid + 1), [200, 409]
    elif kind == "alike":
        answers, due = pair.bid(version, bid, bid), [200, 200]
    else:
        pair.bid(version, bid, bid)
        version += 1
        answers, due = pair.undo(version), [200, 200]
    statuses = sorted(answer.status for answer in answers)
    if statuses != due:
        tale.wrong.append(f"{kind}: answered {statuses}")
    kept = pair.version - version
    if kept != 1:
        (tale.lost if kept < 1 else tale.doubled).append(f"{kind}: {kept} kept")
    tale.acknowledged += statuses.count(200)
    if kind != "undo":
        pair.undo(pair.version)
