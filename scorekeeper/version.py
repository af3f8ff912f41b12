"""The version of the program, which the command, the API and the package tell.

Between two releases it is that of the next one with `.dev0`.
"""

__version__ = "1.1.0.dev0"
