"""The same things as JSON: a table's games under /api for programs, with a key and no cookie.

`views` answers; `asked` and `body` read what is sent, `rounds` records it, `shown` writes what is
answered, `problems` tells what went wrong. `document` describes all of it, with `schemas`, `sent`,
`shapes` and `examples`, and `page` makes that readable.
"""
