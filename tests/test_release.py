"""What makes a release: its script, its workflows, and what they pin."""

import doctest
import re
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import yaml

from scorekeeper import __version__
from tests.program import CHECKOUT, Program

spec = spec_from_file_location("release", CHECKOUT / ".ci" / "release.py")
assert spec is not None
assert spec.loader is not None
release = module_from_spec(spec)
spec.loader.exec_module(release)

ADDRESS = "https://example.org/us/scorekeeper"
WORKFLOWS: dict[str, dict[str, Any]] = {
    path.name: yaml.safe_load(path.read_text("utf-8"))["jobs"]
    for path in sorted((CHECKOUT / ".github" / "workflows").glob("*.yml"))
}
JOBS = [job for jobs in WORKFLOWS.values() for job in jobs.values()]
STEPS = [step for job in JOBS for step in job["steps"]]
UPLOADS = ("index", "release")


def test_the_example_in_the_script_is_true() -> None:
    assert doctest.testmod(release).failed == 0


def test_the_readme_of_an_index_leads_nowhere_by_itself() -> None:
    text = (CHECKOUT / "README.md").read_text("utf-8")
    given = release.with_addresses(text, ADDRESS, "v1.1.0")
    links = re.findall(r"\]\(([^)]+)\)", given) + re.findall(r'src="([^"]+)"', given)
    assert f"{ADDRESS}/blob/v1.1.0/docs/play.md" in links
    assert f"{ADDRESS}/raw/v1.1.0/.readme/result.png" in links
    assert [link for link in links if not link.startswith(("https://", "#"))] == []


def test_an_index_gets_addresses_and_may_take_it(tmp_path: Path) -> None:
    for name in ("README.md", "pyproject.toml"):
        (tmp_path / name).write_text((CHECKOUT / name).read_text("utf-8"), "utf-8")
    release.prepare_for_index(tmp_path, ADDRESS, "v1.1.0")
    before = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
    after = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))
    assert "urls" not in before["project"]
    assert after["project"].pop("urls")["Changelog"] == f"{ADDRESS}/blob/v1.1.0/CHANGELOG.md"
    before["project"]["classifiers"].remove("Private :: Do Not Upload")
    assert after == before


def test_a_tag_names_the_version_of_the_program() -> None:
    assert release.read_version(CHECKOUT) == __version__
    assert release.check_tag("1.1.0", "v1.1.0") == "1.1.0"
    for tag in ("v1.0.0", "1.1.0", "v1.1.0.dev0"):
        with pytest.raises(release.Wrong, match="says 1\\.1\\.0\\."):
            release.check_tag("1.1.0", tag)


def test_the_notes_are_the_section_of_the_changelog() -> None:
    text = "# Changelog\n\n## [1.1.0] - 2027-01-31\n\n- New.\n\n## [1.0.0] - 2026-11-26\n\n- Old.\n"
    assert release.notes(text, "1.1.0") == "- New.\n"
    assert release.notes(text, "1.0.0") == "- Old.\n"
    for section in ("Unreleased", "1.2.0"):
        with pytest.raises(release.Wrong, match=f"no section {section}"):
            release.notes(text, section)
    assert release.notes((CHECKOUT / "CHANGELOG.md").read_text("utf-8"), "1.0.0")


def test_actions_are_pinned_by_commit() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used
    assert [one for one in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", one)] == []


def test_checkouts_keep_no_credentials() -> None:
    checkouts = [step for step in STEPS if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_images_are_pinned_by_digest_and_both_containers_have_one_base() -> None:
    bases = [
        re.search(r"^FROM (\S+)$", (CHECKOUT / path).read_text("utf-8"), re.MULTILINE)
        for path in ("Containerfile", "scorekeeper/cli/deploy_files/Containerfile")
    ]
    images = [found[1] for found in bases if found]
    assert len(images) == 2
    assert images[0] == images[1]
    images += [job["container"]["image"] for job in JOBS if "container" in job]
    assert [one for one in images if not re.fullmatch(r"\S+:\S+@sha256:[0-9a-f]{64}", one)] == []


@pytest.mark.parametrize("job", UPLOADS)
def test_nothing_is_uploaded_before_the_owner_says_so(job: str) -> None:
    jobs = WORKFLOWS["release.yml"]
    assert jobs[job]["if"] == "vars.PUBLISH == 'true' && github.ref_type == 'tag'"
    assert jobs["told"]["if"] == "vars.PUBLISH != 'true' || github.ref_type != 'tag'"
    rights = {name: one.get("permissions", {}) for name, one in jobs.items()}
    assert "id-token" not in str([rights[name] for name in rights if name != "index"])
    assert not any("secrets." in str(jobs[name]) for name in UPLOADS)


def test_an_image_is_pushed_only_with_a_tag_and_leave() -> None:
    job = WORKFLOWS["release.yml"]["image"]
    asked = "${{ vars.PUBLISH == 'true' && github.ref_type == 'tag' }}"
    assert job["env"] == {"PUBLISHES": asked}
    pushes = [step["with"]["push"] for step in job["steps"] if "push" in step.get("with", {})]
    assert pushes == ["${{ env.PUBLISHES }}"]


@pytest.mark.slow
def test_the_script_plays_on_a_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Program.from_checkout(SCOREKEEPER_DATA=str(tmp_path / "games")) as server:
        release.play(server.join_link)
    assert "Round 1 scored [30, 22, 50, -40]" in capsys.readouterr().out
