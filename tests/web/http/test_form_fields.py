"""The base class and the fields of forms."""

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from scorekeeper.web.http.form_fields import Form, StrictIntegerField, TextField, valid_name


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
