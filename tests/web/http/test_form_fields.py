"""The base class and the fields of forms."""

import re

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from scorekeeper.web.http.forms import (
    LONGEST,
    MAX_FIELDS,
    Form,
    Malformed,
    StrictIntegerField,
    TextField,
    refuse_long_texts,
    text_limits,
    valid_name,
)


class Example(Form):
    count = StrictIntegerField(name="how-many")
    name = TextField(validators=[valid_name])


def form_of(app: Flask, **fields: str) -> Example:
    with app.test_request_context():
        form = Example(MultiDict({name.replace("_", "-"): text for name, text in fields.items()}))
        form.validate()
    return form


def test_a_valid_form_holds_values(app: Flask) -> None:
    form = form_of(app, how_many=" 7 ", name="  Ana  María ")
    assert (form.count.data, form.name.data, form.messages) == (7, "Ana María", {})


@pytest.mark.parametrize("text", ["", "x", "٣", "３", "+3", "-1", "1_0", "3.0", "123", "3\u2003"])
def test_an_integer_is_one_or_two_ascii_digits(app: Flask, text: str) -> None:
    message = form_of(app, how_many=text, name="Ana").messages["how-many"]
    assert message == f"“how-many” must be a whole number, not “{text}”."


def test_missing_fields_are_refused_in_our_own_words(app: Flask) -> None:
    assert form_of(app).messages == {
        "how-many": "“how-many” must be a whole number, not “”.",
        "name": "Enter a name for every player.",
    }


def test_a_form_has_no_token_of_its_own(app: Flask) -> None:
    assert "csrf_token" not in form_of(app)


@text_limits(max_fields=MAX_FIELDS + 1, note=900)
def larger() -> None:
    """A view with limits of its own."""


@pytest.mark.parametrize(
    ("view", "fields"),
    [
        (None, {"note": "x" * LONGEST}),
        (None, {"x" * LONGEST: ""}),
        (None, {f"x{n}": "" for n in range(MAX_FIELDS)}),
        (None, {"name": "x" * 1000, "player-12": "x" * 1000}),  # `normalize_name` says it better
        (larger, {"note": "x" * 900}),
        (larger, {f"x{n}": "" for n in range(MAX_FIELDS + 1)}),
    ],
)
def test_fields_within_the_limits_of_a_view_are_taken(view: object, fields: dict[str, str]) -> None:
    refuse_long_texts(view, fields.items())


@pytest.mark.parametrize(
    ("view", "fields", "message"),
    [
        (None, {"note": "x" * 501}, "“note” can have at most 500 characters. This one has 501."),
        (None, {"x" * 501: ""}, "Invalid request."),
        (None, {f"x{n}": "" for n in range(MAX_FIELDS + 1)}, "Invalid request."),
        (larger, {"note": "x" * 901}, "“note” can have at most 900 characters. This one has 901."),
        (larger, {"other": "x" * 501}, "“other” can have at most 500 characters."),
    ],
)
def test_fields_beyond_them_are_refused(view: object, fields: dict[str, str], message: str) -> None:
    with pytest.raises(Malformed, match=re.escape(message)):
        refuse_long_texts(view, fields.items())


def test_of_a_refused_name_only_the_beginning_is_shown_again(app: Flask) -> None:
    with app.test_request_context():
        form = Example(MultiDict({"how-many": "1", "name": "x" * 5000}))
        assert not form.validate()
    assert form.messages == {"name": "A name can have at most 40 characters. This one has 5000."}
    assert form.name.data == "x" * 160
