"""Evenings that are played through the public doors, with every answer written to a file.

`python -m tests.recording OUT` plays them all, each on a server of its own, and writes one file for
each; with `--of CHECKOUT` they are played on another version of the program. `diff -r OLD NEW`, or
`--compare OLD NEW`, which groups the answers, shows what a change of the program changed. Two runs
of one version are equal byte for byte.

Of the program only `create_app` and `python -m scorekeeper` are used, of other tests only
`tests.web.page`, which reads forms. What an evening needs to know of a game it asks the server.

What follows from the build, the machine or the number of random draws is written in another way:

- The clock begins at the same time and goes on by seven seconds from request to request. Luck
  begins anew with each request, so a draw more or less in one changes no other.
- Random words, which are ids, keys and tokens, are `<id-1>`, `<id-2>`, … as they first appear.
- Hashes of ten and more digits are `<hash>`, also those of revisions, whose version stays; signed
  texts are `<signed>`; ETags are `<tag>` where they are not the version of a game.
- Style sheets in a page, and versions in addresses of static files, are left out.
- The folder of the games is `<folder>`, the virtual environment `<venv>`; waiting times are `<n>`.
- HTML and JSON are broken into lines. Of files that are compressed only the encoding is written.
- Methods in an Allow header are sorted, as their order changes from run to run.
- Headers that are the same in every answer are written once, with the first of each evening.
"""
