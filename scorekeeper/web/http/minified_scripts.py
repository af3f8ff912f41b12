"""Minifying of scripts: comments, indentation and spaces around signs are not sent.

Only what our scripts use is known here: statements end with semicolons, and neither strings nor
templates go over the end of a line.
"""

import re

TRAILING_COMMENTS = re.compile(r"(?<=[;,{}(\[]) +// [^\"'`\n]*$", re.MULTILINE)
COMMENT_LINES = re.compile(r"^[ \t]*(?://.*|/\*[\s\S]*?\*/[ \t]*)\n", re.MULTILINE)
INDENTATION = re.compile(r"^\s+", re.MULTILINE)
TEXT = re.compile(r"(\"[^\"\\]*\"|`[^`\\]*`)")
SPACED_SIGN = re.compile(r" ?([=*<>!&|?:,;{}()\[\]]+) ?")  # not + and -: a + +b is not a++b
# In a regular expression, a comment, and a text in or with one of these, blanks may count.
UNCLEAR = re.compile(r"[`'\"/\\]")
CONTINUED = (";", "{", ",", "(", "[", "&", "|", "?", ":", "=")  # no line need end after these


def minify(script: str) -> str:
    """Return a script that does the same, without what only people read.

    Comments with quotation marks at the end of a line stay.
    """
    code = TRAILING_COMMENTS.sub("", COMMENT_LINES.sub("", script))
    return "".join(map(_minify_line, INDENTATION.sub("", code).splitlines()))


def _minify_line(line: str) -> str:
    """Return a line of code, with its end where that may be needed."""
    parts = TEXT.split(line)
    if any(map(UNCLEAR.search, parts[::2])) or line.count("`") > 2:  # templates may be nested
        return f"{line}\n"
    parts[::2] = [SPACED_SIGN.sub(r"\1", part) for part in parts[::2]]
    short = "".join(parts)
    return short if short.endswith(CONTINUED) else f"{short}\n"
