"""What a browser complains of while a test runs."""

from playwright.sync_api import BrowserContext, Request

# A refused form is an answer like any other, and a lost line is no fault of the page; only the
# console of a browser calls them errors.
NOT_OURS = ("Failed to load resource: ", "TypeError: Failed to fetch", "htmx:error: timeout")


class Complaints:
    """Console errors, errors of scripts, broken security policies, and requests elsewhere."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.all: list[str] = []

    def listen(self, context: BrowserContext) -> None:
        """Hear what every page of a browser has to say."""
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
        """All complaints but those about forms refused and lines lost on purpose."""
        return [line for line in self.all if not any(text in line for text in NOT_OURS)]

    def _same_house(self, request: Request) -> None:
        if not request.url.startswith((self.address, "blob:", "data:")):
            self.all.append(f"request elsewhere: {request.url}")
