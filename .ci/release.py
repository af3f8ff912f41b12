"""Build what a release has, and check it; docs/releasing.md says when.

    python .ci/release.py                      the files of a dry run, in dist/
    python .ci/release.py --tag v1.1.0 --repository https://example.org/us/scorekeeper
    python .ci/release.py --play http://127.0.0.1:8000/join/<key>

The first two build the committed files, never the ones that have changed since. With the address of
the repository they get links for an index and may be uploaded there; without it they may not. The
last one plays a round on a server that runs, such as that of the image.

It needs hatchling, twine and check-wheel-contents: `pip install --group release`, which takes pip
25.1 or newer.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urljoin
from urllib.request import ProxyHandler, Request, build_opener

CHECKOUT = Path(__file__).resolve().parent.parent
UNRELEASED = "Unreleased"
PRIVATE = re.compile(r'^ *"Private :: Do Not Upload".*\n', re.MULTILINE)
RELATIVE = r"(?![a-z]+:|#)"  # begins neither with a scheme nor with an anchor
PATIENCE = 60  # seconds for a server to start
# Of the environment, so that no setting of the person who runs it changes what is built.
KEPT = {
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    "PIP_INDEX_URL",
    "PIP_CONFIG_FILE",
    "SSL_CERT_FILE",
}


class Wrong(Exception):
    """The release is not what it says; the message is a sentence."""


def main() -> int:
    """Build and check, or play, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--tag", default="", help="the tag of the release, such as v1.1.0")
    parser.add_argument("--repository", default="", help="its https:// address")
    parser.add_argument("--out", type=Path, default=CHECKOUT / "dist", help="an empty folder")
    parser.add_argument("--play", default="", metavar="LINK", help="play on a running server")
    asked = parser.parse_args()
    try:
        if asked.play:
            play(asked.play)
        else:
            release(asked.tag, asked.repository.rstrip("/"), asked.out)
    except Wrong as wrong:
        print(wrong, file=sys.stderr)
        return 1
    return 0


def release(tag: str, repository: str, out: Path) -> None:
    """Build the files of a release into a folder, and check them. Raises `Wrong`."""
    version = read_version(CHECKOUT)
    step(f"Scorekeeper {version}{f', tag {tag}' if tag else ', a dry run'}")
    out.mkdir(exist_ok=True)
    if any(out.iterdir()):
        raise Wrong(f"{out} is not empty.")
    changelog = (CHECKOUT / "CHANGELOG.md").read_text("utf-8")
    (out / "notes.md").write_text(notes(changelog, check_tag(version, tag)), "utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        tree = committed_files(Path(scratch) / "tree")
        if repository:
            prepare_for_index(tree, repository, tag or run("git", "rev-parse", "HEAD").strip())
        wheel, sdist = build(tree, out)
        check(wheel, sdist, upload=bool(repository))
        try_out(wheel, version, Path(scratch) / "fresh")
    step("All is well")
    for path in sorted(out.iterdir()):
        print(f"{path.stat().st_size:>9,} bytes  {path.name}")


def step(sentence: str) -> None:
    print(f"== {sentence}", flush=True)


def run(*command: str | Path, cwd: Path = CHECKOUT) -> str:
    """Run a command and return its output. Raises `Wrong` with it where the command fails."""
    env = {name: value for name, value in os.environ.items() if name in KEPT}
    ended = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    if ended.returncode:
        raise Wrong(f"{' '.join(map(str, command))}\n{ended.stdout}")
    return ended.stdout


def read_version(tree: Path) -> str:
    """Return the version that the program of a tree says it has."""
    text = (tree / "scorekeeper" / "version.py").read_text("utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    if found is None:
        raise Wrong("scorekeeper/version.py has no version.")
    return found[1]


def check_tag(version: str, tag: str) -> str:
    """Return the section of the changelog for a version, which its tag must name.

    Raises `Wrong` where the tag says otherwise.
    """
    if tag and tag != f"v{version}":
        raise Wrong(f"The tag is {tag}, but scorekeeper/version.py says {version}.")
    return UNRELEASED if version.endswith(".dev0") else version


def notes(changelog: str, section: str) -> str:
    """Return the text of a section of the changelog. Raises `Wrong` where it has no day."""
    day = "" if section == UNRELEASED else r" - \d{4}-\d\d-\d\d"
    heading = rf"^## \[{re.escape(section)}\]{day}\n(.*?)(?=^## |\Z)"
    found = re.search(heading, changelog, re.MULTILINE | re.DOTALL)
    if found is None:
        raise Wrong(f"CHANGELOG.md has no section {section} with a day.")
    return found[1].strip() + "\n"


def committed_files(tree: Path) -> Path:
    """Copy the files of the last commit to a new folder, and return that."""
    tree.mkdir(parents=True)
    packed = tree.with_suffix(".tar")
    run("git", "archive", "--output", packed, "HEAD")
    unpack(packed, tree)
    return tree


def unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive; nothing in it may lead out of the folder."""
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")


def prepare_for_index(tree: Path, repository: str, ref: str) -> None:
    """Change what an index shows: links of the README, addresses, and that it may be uploaded."""
    readme, project = tree / "README.md", tree / "pyproject.toml"
    readme.write_text(with_addresses(readme.read_text("utf-8"), repository, ref), "utf-8")
    text, private = PRIVATE.subn("", project.read_text("utf-8"))
    if private != 1:
        raise Wrong("pyproject.toml has no classifier “Private :: Do Not Upload” on its own line.")
    addresses = {
        "Repository": repository,
        "Documentation": f"{repository}/tree/{ref}/docs",
        "Changelog": f"{repository}/blob/{ref}/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }
    lines = [f"{name} = {json.dumps(address)}" for name, address in addresses.items()]
    project.write_text("\n".join([text, "[project.urls]", *lines, ""]), "utf-8")


def with_addresses(text: str, repository: str, ref: str) -> str:
    """Return Markdown whose links and pictures lead to the files of a repository.

    >>> print(with_addresses('[a](docs/a.md#b) <img src="c.png">', "https://example.org", "v1"))
    [a](https://example.org/blob/v1/docs/a.md#b) <img src="https://example.org/raw/v1/c.png">
    """
    linked = re.sub(rf"\]\({RELATIVE}", f"]({repository}/blob/{ref}/", text)
    return re.sub(rf'<img src="{RELATIVE}', f'<img src="{repository}/raw/{ref}/', linked)


def build(tree: Path, out: Path) -> tuple[Path, Path]:
    """Build the source archive of a tree, and the wheel of what that has; return both."""
    step("Building")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", out, cwd=tree)
    (sdist,) = out.glob("*.tar.gz")
    unpack(sdist, tree.parent / "source")
    (source,) = (tree.parent / "source").iterdir()
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out, cwd=source)
    (wheel,) = out.glob("*.whl")
    return wheel, sdist


def check(wheel: Path, sdist: Path, *, upload: bool) -> None:
    """Check both files as an index does, and the rules without any other package."""
    step("Checking")
    print(run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist).strip())
    print(run(sys.executable, "-m", "check_wheel_contents", wheel).strip())
    asked = f"import sys; sys.path.insert(0, {str(wheel)!r})\n" + (
        "from scorekeeper.rules import score\n"
        "game = score('cutthroat-lite', 4, [((3, 2, 'nil', 4), (3, 4, 0, 3))])\n"
        "print('The rules score', game.standing.totals, 'without any other package.')"
    )
    print(run(sys.executable, "-I", "-S", "-c", asked).strip())
    print(
        "They may be uploaded." if upload else "No index accepts them: no --repository was given."
    )


def try_out(wheel: Path, version: str, fresh: Path) -> None:
    """Install a wheel where nothing else is, start it, and play a round."""
    step("Installing it in a new environment")
    run(sys.executable, "-m", "venv", fresh)
    run(fresh / "bin" / "pip", "install", "--quiet", wheel)
    told = run(fresh / "bin" / "scorekeeper", "--version").strip()
    print(told)
    if not told.endswith(f" {version}"):
        raise Wrong(f"The command should say {version}.")
    with started(fresh) as link:
        play(link)


@contextmanager
def started(fresh: Path) -> Iterator[str]:
    """Run the server of an environment during a block, and provide its join link."""
    data = fresh / "games"
    env = {"PATH": os.environ["PATH"], "SCOREKEEPER_DATA": str(data), "PYTHONUNBUFFERED": "1"}
    command = [str(fresh / "bin" / "scorekeeper"), "--host", "127.0.0.1", "--port", "0"]
    with (fresh / "said").open("w+", encoding="utf-8") as said:
        server = subprocess.Popen(command, cwd=fresh, env=env, stdout=said, stderr=said)
        try:
            yield join_link(fresh / "said", server)
        finally:
            server.terminate()
            status = server.wait(PATIENCE)
    if status:
        raise Wrong(f"The server ended with status {status}.")


def join_link(said: Path, server: subprocess.Popen[bytes]) -> str:
    """Return the join link that a server prints. Raises `Wrong` where it prints none."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        if found := re.search(r"http://\S+/join/\w+", said.read_text("utf-8")):
            return found[0]
        time.sleep(0.1)
    raise Wrong(f"The server did not start:\n{said.read_text('utf-8')}")


def play(link: str) -> None:
    """Read pages of a server and score a round there, as the key of a join link allows."""
    base, _, key = link.partition("join/")
    for page in ("", "rules", "healthz"):
        status, body = ask(urljoin(base, page))
        print(f"GET /{page} answered {status}, {len(body):,} bytes")
    game = call(
        "POST", urljoin(base, "api/games"), key, RULES, {"Idempotency-Key": os.urandom(8).hex()}
    )
    address = urljoin(base, f"api/games/{game['id']}/rounds/1")
    scored = call("PUT", address, key, ROUND, {"If-Match": f'"{game["version"]}"'})
    print(f"Round 1 scored {scored['totals']}")
    if scored["totals"] != TOTALS:
        raise Wrong(f"The totals should be {TOTALS}.")


RULES = {"rules": "cutthroat-lite", "players": ["Ana", "Ben", "Cy", "Dana"]}
ROUND = {"bids": [3, 2, "nil", 4], "tricks": [3, 4, 0, 3]}
TOTALS = [30, 22, 50, -40]


def call(
    method: str, address: str, key: str, body: dict[str, Any], headers: dict[str, str]
) -> dict[str, Any]:
    """Send JSON to the API and return its answer. Raises `Wrong`."""
    sent = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", **headers}
    _status, answer = ask(Request(address, json.dumps(body).encode(), sent, method=method))
    found: dict[str, Any] = json.loads(answer)
    return found


def ask(request: str | Request) -> tuple[int, bytes]:
    """Return status and body of an answer. Raises `Wrong` for an error."""
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except OSError as error:
        raise Wrong(f"{getattr(request, 'full_url', request)}: {error}") from error


if __name__ == "__main__":
    sys.exit(main())
