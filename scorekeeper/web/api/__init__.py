"""The JSON API under /api: the games of a table for programs, which send a key and no cookie.

`openapi.json` describes it and `page` shows that to people. `views` has the routes, `request` and
`body` read what is sent, `games` and `rounds` store it, `response` and `problems` write the answer.
"""
