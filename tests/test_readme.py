"""README and docs name what there is, and what they show is what happens."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from scorekeeper import create_app
from scorekeeper.cli.commands import scorekeeper
from scorekeeper.cli.deploy import FILES, gunicorn_command
from scorekeeper.config import DEFAULTS
from scorekeeper.files.csv_columns import COLUMNS
from scorekeeper.rules.presets import PRESETS
from tests.languages.catalogue import read, template
from tests.program import CHECKOUT, Program, clean_environment

README = (CHECKOUT / "README.md").read_text("utf-8")
CONTRIBUTING = (CHECKOUT / ".github" / "CONTRIBUTING.md").read_text("utf-8")
DOCS = {path.name: path.read_text("utf-8") for path in sorted((CHECKOUT / "docs").glob("*.md"))}
TEXT = "\n".join([README, *DOCS.values()])
PAGES = [
    *(CHECKOUT / name for name in ("README.md", "CHANGELOG.md")),
    *(CHECKOUT / ".github").glob("*.md"),
    *(CHECKOUT / "docs").glob("*.md"),
]
PATH = re.compile(r"`(\w[\w./-]*/[\w./-]*)`")
NAMED = re.compile(r"`(\w+)` in `([\w/]+\.py)`")
GUIDE = README[README.index("## Your first game") :] + DOCS["play.md"]
MENUS = re.findall(
    r"(?<!\*)\*(?:⋯ → )?([A-Z][^*]+)\*(?!\*)", GUIDE + DOCS["hosting.md"] + DOCS["api.md"]
)
LABELS = re.findall(r"\*\*([A-Z+][^*.?]+)\*\*", GUIDE[: GUIDE.index("## On phones")])
ADDRESS = re.compile(r"`(?:GET |POST |PUT )?(/(?:api|rules|healthz|metrics)[\w/<>.-]*)`")
# The name on the package index belongs to another program.
FOREIGN = re.compile(
    r"(?<!spades-)\bscorekeeper\[|\b(?:install|add|uvx|pipx run) +(?:-\S+ +)*['\"]?scorekeeper\b"
)
CODE = "\n".join(path.read_text("utf-8") for path in (CHECKOUT / "scorekeeper").rglob("*.py"))


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150


@pytest.mark.parametrize("variable", sorted(set(re.findall(r"SCOREKEEPER_[A-Z_]+", CODE))))
def test_every_variable_is_named(variable: str) -> None:
    assert f"| `{variable}` |" in DOCS["hosting.md"]


@pytest.mark.parametrize("name", sorted(DEFAULTS.keys() - {"LOG_REQUESTS"}))
def test_every_setting_is_named(name: str) -> None:
    assert f"| `SCOREKEEPER_{name}` |" in DOCS["hosting.md"]


@pytest.mark.parametrize("key", PRESETS)
def test_every_rule_book_is_named(key: str) -> None:
    assert f"| `{key}` |" in README


@pytest.mark.parametrize("column", COLUMNS)
def test_every_column_is_named(column: str) -> None:
    rows = re.findall(r"^\| (`.*?) \|", DOCS["files.md"], re.MULTILINE)
    assert any(f"`{column}`" in row for row in rows)


@pytest.mark.parametrize("command", sorted(scorekeeper.commands.keys() - {"serve"}))
def test_every_command_is_named(command: str) -> None:
    assert f"| `scorekeeper {command}" in README


@pytest.mark.parametrize("kind", FILES)
def test_every_file_for_servers_is_named(kind: str) -> None:
    assert f"| `scorekeeper deploy {kind}` |" in DOCS["hosting.md"]


def test_every_address_is_one_of_the_server(tmp_path: Path) -> None:
    app = create_app(DATA=tmp_path)
    app.extensions["store"].close()
    rules = {str(rule) for rule in app.url_map.iter_rules()}
    named = set(ADDRESS.findall(TEXT))
    assert named
    assert sorted(named - rules) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'<img src="([^"]+)"', text)
    for link in links:
        if not link.startswith("https://"):
            name, _, anchor = link.partition("#")
            target = page.parent / name if name else page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


def anchors(page: Path) -> list[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]


def test_no_text_advises_to_install_a_program_of_somebody_else() -> None:
    texts = {TEXT, CONTRIBUTING, (CHECKOUT / "pyproject.toml").read_text("utf-8"), CODE}
    package = CHECKOUT / "scorekeeper"
    for path in (*package.rglob("*.po"), *(package / "cli" / "deploy_files").iterdir()):
        texts.add(path.read_text("utf-8"))
    assert [found[0] for text in texts for found in FOREIGN.finditer(text)] == []


@pytest.mark.parametrize("path", sorted(set(PATH.findall(TEXT + CONTRIBUTING))))
def test_every_path_is_there(path: str) -> None:
    path = path.replace("/xx/", "/de/")  # any language
    beside_games = path in ("backups/", "instance/")
    assert beside_games or (CHECKOUT / path).exists() or (CHECKOUT / "scorekeeper" / path).exists()


@pytest.mark.parametrize(("name", "path"), sorted(set(NAMED.findall(TEXT))))
def test_every_name_stands_in_its_file(name: str, path: str) -> None:
    assert re.search(rf"\b{name}\b", (CHECKOUT / "scorekeeper" / path).read_text("utf-8"))


@pytest.mark.parametrize("text", sorted({text for path in MENUS for text in path.split(" → ")}))
def test_every_button_has_this_text(text: str) -> None:
    assert text in read("de")


@pytest.mark.parametrize("label", sorted(set(LABELS)))
def test_every_label_begins_a_text(label: str) -> None:
    texts = [text.id if isinstance(text.id, str) else text.id[0] for text in template()]
    assert any(text.startswith(label) for text in texts)


SHEETS = re.findall(
    r"```csv\n(.*?)```.*?\$ scorekeeper (score (\S+) .*?) \| cut -d, -f(\S+)\n(.*?)```",
    TEXT,
    re.DOTALL,
)


@pytest.mark.parametrize("example", SHEETS, ids=[one[2] for one in SHEETS])
def test_the_example_of_a_sheet_prints_what_is_shown(
    example: tuple[str, ...], tmp_path: Path
) -> None:
    sheet, command, name, columns, shown = example
    (tmp_path / name).write_text(sheet, "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "scorekeeper", *command.split()],
        cwd=tmp_path,
        env=clean_environment(PYTHONPATH=str(CHECKOUT)),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    ends = [part.split("-") for part in columns.split(",")]
    kept = [
        n - 1 for first, *last in ends for n in range(int(first), int((last or [first])[0]) + 1)
    ]
    rows = [line.split(",") for line in ran.stdout.splitlines()]
    assert [",".join(row[place] for place in kept) for row in rows] == shown.splitlines()


def test_the_examples_of_sheets_are_found() -> None:
    assert [one[2] for one in SHEETS] == ["evening.csv", "oh-hell.csv"]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_the_example_of_the_api_enters_a_round(tmp_path: Path) -> None:
    example = "".join(re.findall(r"```sh\n((?:SERVER=|call ).*?)```", DOCS["api.md"], re.DOTALL))
    assert "api/import" in example
    with Program.from_checkout(SCOREKEEPER_DATA=str(tmp_path / "games")) as server:
        _, _, key = server.join_link.rpartition("/")
        script = example.replace("http://localhost:8000", server.address)
        ran = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script.replace("the-last-part-of-a-join-link", key)],
            cwd=tmp_path,
            env=clean_environment(NO_PROXY="*"),
            capture_output=True,
            encoding="utf-8",
        )
    assert (ran.returncode, ran.stderr.partition("curl: (28)")[0]) == (0, "")
    assert '"tricks": [3, 4, 0, 3]' in ran.stdout or '"tricks":[3,4,0,3]' in ran.stdout
    assert '"imported":1,' in ran.stdout
    assert '"house_rules":{"target":200}' in ran.stdout
    assert "event: " in ran.stdout or "data: " in ran.stdout


def test_compose_starts_what_the_printed_container_starts() -> None:
    public = yaml.safe_load((CHECKOUT / "compose.caddy.yaml").read_text("utf-8"))
    assert public["services"]["scorekeeper"]["command"] == gunicorn_command("0.0.0.0:8000")


@pytest.mark.parametrize("name", ["compose.yaml", "compose.caddy.yaml"])
def test_compose_mounts_the_folder_of_the_games_and_sets_what_is_a_setting(name: str) -> None:
    service = yaml.safe_load((CHECKOUT / name).read_text("utf-8"))["services"]["scorekeeper"]
    containerfile = (CHECKOUT / service["build"]["dockerfile"]).read_text("utf-8")
    assert service["volumes"] == ["games:/data"]
    assert "\nENV SCOREKEEPER_DATA=/data\nVOLUME /data\n" in containerfile
    for setting in service["environment"]:
        assert f"| `{setting}` |" in DOCS["hosting.md"]


@pytest.mark.parametrize("name", ["compose.yaml", "compose.caddy.yaml"])
def test_compose_asks_for_what_is_named_with_its_command(name: str) -> None:
    text = (CHECKOUT / name).read_text("utf-8")
    asked = set(re.findall(r"\$\{(\w+):\?", text))
    assert len(asked) == 1
    assert all(f"{one}=" in TEXT and f"#   {one}=" in text for one in asked)
    assert set(re.findall(r"\$\{(\w+)", text)) - asked <= {"TZ", "SCOREKEEPER_HOSTS"}


def test_each_python_that_is_named_is_tested() -> None:
    jobs = yaml.safe_load((CHECKOUT / ".github/workflows/ci.yml").read_text("utf-8"))["jobs"]
    named = re.findall(r"Python :: (3\.\d+)", (CHECKOUT / "pyproject.toml").read_text("utf-8"))
    assert jobs["tests"]["strategy"]["matrix"]["python"] == named
