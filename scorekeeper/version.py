"""The version of the program, which the command, the API and the package tell."""

__version__ = "1.0.0"
