"""Errors and warnings of the browser during a test."""

from playwright.sync_api import BrowserContext, Request

# The console reports refused forms, failed requests, foreign answers to a stream and what a test
# has blocked; none is a fault of the page.
NOT_OURS = (
    "Failed to load resource: ",
    "TypeError: Failed to fetch",
    "EventSource's response has a MIME type",
    "Service Worker registration blocked",
    "An unknown error occurred when fetching the script",  # of the service worker
)


class Complaints:
    """Console errors, errors of scripts, broken security policies, and requests elsewhere."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.all: list[str] = []

    def listen(self, context: BrowserContext) -> None:
        """Record the messages of every page of a browser context."""
        context.on("weberror", lambda error: self.all.append(f"script: {error.error}"))
        context.on("request", self._same_house)
        context.on(
            "console",
            lambda said: (
                self.all.append(f"{said.type}: {said.text}")
                if said.type in ("error", "warning")
                else None
            ),
        )

    @property
    def serious(self) -> list[str]:
        """All messages except those about refused forms and connections that a test has cut."""
        return [line for line in self.all if not any(text in line for text in NOT_OURS)]

    def _same_house(self, request: Request) -> None:
        if not request.url.startswith((self.address, "blob:", "data:")):
            self.all.append(f"request elsewhere: {request.url}")
