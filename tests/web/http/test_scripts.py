"""Scripts are sent with all of their code and without comments."""

import pytest

from scorekeeper.web.http.static_files import as_sent, folder, static_files

SCRIPTS = [path for path in static_files() if path.endswith(".js")]
OURS = [path for path in SCRIPTS if not path.startswith("vendor/")]


@pytest.mark.parametrize("path", OURS)
def test_no_line_is_sent_that_only_comments(path: str) -> None:
    sent = as_sent(path)[0].decode()
    assert [line for line in sent.splitlines() if line.strip().startswith(("//", "/*", "*/"))] == []


@pytest.mark.parametrize("path", OURS)
def test_every_line_of_code_is_sent_in_its_order(path: str) -> None:
    written = iter((folder("static") / path).read_text("utf-8").splitlines())
    sent = as_sent(path)[0].decode().splitlines()
    assert sent
    assert all(line in written for line in sent)


def test_the_work_of_others_is_sent_as_it_came() -> None:
    for path in set(SCRIPTS) - set(OURS):
        assert as_sent(path)[0] == (folder("static") / path).read_bytes()
