"""Each code with which the rules refuse has a sentence, and each sentence a rule that says it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.rules.round import NOTES
from scorekeeper.rules.sentence import REFUSALS
from tests.program import CHECKOUT

HERE = "rules/refusals.py"


def codes_in(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Yield each call of `refuse` in a file, and the codes that it can pass."""
    text = path.read_text("utf-8")
    if "refuse(" not in text:  # to parse every file takes a second
        return
    tree = ast.parse(text)
    values: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            values.setdefault(node.targets[0].id, []).append(node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "refuse":
            code = node.args[1]
            if isinstance(code, ast.Attribute):  # of a note, which `DECLARED` has
                continue
            written = values.get(code.id, []) if isinstance(code, ast.Name) else [code]
            yield f"{path.name}:{node.lineno}", set().union(*map(_texts, written))


def _texts(value: ast.expr) -> set[str]:
    """Return the texts that an expression can be: a constant, or one for each branch."""
    if isinstance(value, ast.IfExp):
        return _texts(value.body) | _texts(value.orelse)
    return {value.value} if isinstance(value, ast.Constant) else set()


RAISED = dict(
    call for path in sorted((CHECKOUT / "scorekeeper").rglob("*.py")) for call in codes_in(path)
)
DECLARED = {
    f"the note {name}": {
        *filter(None, (note.later, getattr(note.kind, "code", ""), note.needs and note.needs.code))
    }
    for name, note in NOTES.items()
}
RAISED |= {place: codes for place, codes in DECLARED.items() if codes}


@pytest.mark.parametrize("place", RAISED)
def test_every_code_has_a_sentence(place: str) -> None:
    codes = RAISED[place]
    assert codes, f"{place}: write the code of the refusal as a plain text, so that it is found"
    missing = sorted(codes - REFUSALS.keys())
    assert not missing, f"{place} refuses with {missing}: add a sentence to REFUSALS in {HERE}"


@pytest.mark.parametrize("code", REFUSALS)
def test_every_sentence_is_said(code: str) -> None:
    raised = set().union(*RAISED.values())
    assert code in raised, f"nothing refuses with “{code}”: remove its sentence from {HERE}"
