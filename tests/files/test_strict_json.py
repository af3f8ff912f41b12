"""JSON from strangers: whatever is sent is read or refused with a sentence."""

import sys

import pytest

from scorekeeper.files.strict_json import InvalidValue, number_of, parse


def read_stake(data: bytes, frames_deeper: int) -> int:
    """Read a number from a place in the program that is so many calls deeper than the parser."""
    value = parse(data)

    def read(frames: int) -> int:
        return read(frames - 1) if frames else number_of(value["stake"], "stake", 1, 9)

    return read(frames_deeper)


def test_a_list_of_any_depth_is_no_number() -> None:
    for depth in range(sys.getrecursionlimit() - 200, sys.getrecursionlimit()):
        with pytest.raises(InvalidValue):
            read_stake(b'{"stake":' + b"[" * depth + b"]" * depth + b"}", frames_deeper=6)
