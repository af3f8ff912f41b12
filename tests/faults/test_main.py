"""The long form of the fault tests finds every fault that it names."""

import pytest

from tests.faults.__main__ import FAULTS, main


def test_each_fault_can_be_tried_by_its_name(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["tests.faults", "--help"])
    with pytest.raises(SystemExit, match="0"):
        main()
    said = capsys.readouterr().out
    assert [name for name in FAULTS if f"--{name} N" not in said] == []
