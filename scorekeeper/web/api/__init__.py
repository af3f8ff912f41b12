"""The same things as JSON, for programs: a table's games under /api, with a key instead of a cookie.

`views` answers, `asked` and `body` read what is sent, `shown` writes what is answered, `problems`
tells what went wrong, and `document` and `schemas` describe all of it to programs and, by way of
`page`, to people.
"""
