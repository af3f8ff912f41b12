"""What Lighthouse says of every page of a game, where it is installed."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.bench.bench import Bench
from tests.bench.paint import BROWSER
from tests.bench.rows import Row
from tests.bench.servers import Server

PAGES = ("", "/sheet", "/changes", "/share", "/rounds/3")
CATEGORIES = ("performance", "accessibility", "best-practices")  # a game is nobody's to find


def mobile(bench: Bench) -> Iterator[Row]:
    """Lighthouse's own mobile preset, the page's cookie sent along; the worst page counts."""
    program = shutil.which("lighthouse")
    chrome = next(filter(None, map(shutil.which, BROWSER)), "")
    if program is None or not chrome:
        yield Row(
            "Lighthouse, mobile, every page of a game",
            "–",
            100,
            left_out="`lighthouse` or Chromium is not installed: npm install -g lighthouse",
        )
        return
    table = bench.table(played=(1, 8))
    game = f"/games/{table.games['played'][0]}"
    with Server("ours", table.folder) as ours:
        told = [
            _scores(program, chrome, bench.folder(), f"{ours.address}{game}{page}", table.cookie)
            for page in PAGES[: 1 if bench.quick else None]
        ]
    for category in CATEGORIES:
        scores = [page[category] for page in told]
        yield Row(
            f"Lighthouse, mobile, every page of a game: {category}",
            "–",
            100,
            None,
            [min(scores)],
            seen=", ".join(f"{score:.0f}" for score in scores),
        )


def _scores(program: str, chrome: str, folder: Path, address: str, cookie: str) -> dict[str, float]:
    folder.mkdir()
    told = folder / "told.json"
    headers = json.dumps({"Cookie": cookie})
    subprocess.run(
        [program, address, "--quiet", "--output=json", f"--output-path={told}",
         f"--only-categories={','.join(CATEGORIES)}", f"--extra-headers={headers}",
         "--chrome-flags=--headless=new --no-sandbox --disable-gpu"],
        check=True, capture_output=True, timeout=180,
        env={**os.environ, "CHROME_PATH": chrome, "HOME": str(folder)},
    )  # fmt: skip
    categories = json.loads(told.read_text("utf-8"))["categories"]
    return {name: 100 * categories[name]["score"] for name in CATEGORIES}
