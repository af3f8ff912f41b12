"""The form in which a phone or a join link is named."""

from wtforms.validators import Optional

from scorekeeper.web.http.form_fields import Form, TextField, valid_name


class LabelForm(Form):
    """The label of a phone or of a join link, which may be left empty."""

    label = TextField(filters=[str.strip], validators=[Optional(), valid_name])
