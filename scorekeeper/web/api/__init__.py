"""The JSON API under /api: the games of a table for programs, which send a key and no cookie.

`views` has the routes, `request` reads what is sent, `response` writes answers and problems.
`document` makes the description of it all from `openapi.json` and the declarations of the rules.
"""
