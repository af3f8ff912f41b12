"""What Lighthouse says of every page of a game, where it is installed."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from tests.bench.bench import Bench, Figure, LeftOut
from tests.bench.browser import find_browser
from tests.bench.servers import ours

PAGES = ("", "/sheet", "/changes", "/share", "/rounds/3")
CATEGORIES = ("performance", "accessibility", "best-practices")  # a game is nobody's to find


def pages(bench: Bench) -> list[Figure]:
    """Return the least score of any page and category, with the phone's cookie sent along."""
    program, chrome = shutil.which("lighthouse"), find_browser()
    if program is None or chrome is None:
        raise LeftOut("`lighthouse` or Chromium is not installed: npm install -g lighthouse")
    table = bench.table(played=(1, 8))
    game = f"/games/{table.games['played'][0]}"
    with ours(table.folder) as server:
        scores = {
            f"{category} of {page or 'game'}": score
            for page in PAGES[: 1 if bench.quick else None]
            for category, score in _scores(
                program, chrome, bench.folder(), f"{server.address}{game}{page}", table.cookie
            ).items()
        }
    worst = min(scores, key=lambda each: scores[each])
    return [Figure(scores[worst], worst if scores[worst] < 100 else f"{len(scores)} scores")]


def _scores(program: str, chrome: str, folder: Path, address: str, cookie: str) -> dict[str, float]:
    report = folder / "told.json"
    headers = json.dumps({"Cookie": cookie})
    subprocess.run(
        [program, address, "--quiet", "--output=json", f"--output-path={report}",
         f"--only-categories={','.join(CATEGORIES)}", f"--extra-headers={headers}",
         "--chrome-flags=--headless=new --no-sandbox --disable-gpu"],
        check=True, capture_output=True, timeout=180,
        env={**os.environ, "CHROME_PATH": chrome, "HOME": str(folder)},
    )  # fmt: skip
    categories = json.loads(report.read_text("utf-8"))["categories"]
    return {name: 100 * categories[name]["score"] for name in CATEGORIES}
