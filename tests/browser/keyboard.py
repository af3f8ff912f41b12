"""A player who neither sees nor points: presses keys, and hears the accessibility tree."""

import time
from typing import Any

from playwright.sync_api import Page

from tests.browser.player import BREATH, settled

MAX_STEPS = 80
PATIENCE = 20  # seconds
# What has the focus is on the screen, nothing lies over all of it, and a line around it, or around
# what stands for it, shows it.
SEEN = """
() => {
  const one = document.activeElement;
  const box = one.getBoundingClientRect();
  const across = [0.1, 0.5, 0.9].map((part) => box.left + part * box.width);
  const down = [0.1, 0.5, 0.9].map((part) => box.top + part * box.height);
  const stands = [one, one.closest("label")].filter(Boolean);
  const isOnTop = across.some((x) => down.some((y) => {
    const top = document.elementFromPoint(x, y);
    return top && stands.some((shown) => shown.contains(top) || top.contains(shown));
  }));
  const around = [...stands, one.nextElementSibling, one.closest(".place")].filter(Boolean);
  const isOutlined = around.some((shown) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(shown);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
  return isOnTop && isOutlined;
}
"""
# Where it stands in the order of the page; -1 where nothing has the focus.
PLACE = """
() => document.activeElement === document.body
  ? -1 : [...document.querySelectorAll("*")].indexOf(document.activeElement)
"""


class Listener:
    """Presses keys on a page; `heard` are the names of what had the focus, in turn."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.heard: list[str] = []
        self._tree = page.context.new_cdp_session(page)

    def nodes(self) -> list[dict[str, Any]]:
        """Return what the browser tells screen readers of the page."""
        tree = self._tree.send("Accessibility.getFullAXTree")
        return [node for node in tree["nodes"] if not node["ignored"]]

    @property
    def focused(self) -> str:
        """The role and name of what has the focus, as `button Join`; empty for nothing."""
        for node in self.nodes():
            has_focus = any(one["name"] == "focused" for one in node.get("properties", ()))
            if has_focus and node["role"]["value"] != "RootWebArea":
                return told(node)
        return ""

    def hears(self, *texts: str) -> None:
        """Wait until the tree of the page says some texts."""
        waits_until = time.monotonic() + PATIENCE
        while True:
            said = "\n".join(map(told, self.nodes()))
            missing = [text for text in texts if text not in said]
            if not missing:
                return
            assert time.monotonic() < waits_until, f"{missing} is not said:\n{said}"
            self.page.wait_for_timeout(50)

    def reach(self, wanted: str) -> None:
        """Press Tab until what is wanted has the focus; all on the way is seen, and in order."""
        before = -1
        for _ in range(MAX_STEPS):
            name, place = self.focused, self.page.evaluate(PLACE)
            if place >= 0:
                assert self.page.evaluate(SEEN), f"{name} is not seen"
                assert place > before, f"{name} comes after what stands below it"
                self.heard.append(name)
            before = place
            if f"{name} ".startswith(f"{wanted} "):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {wanted}: {self.heard[-MAX_STEPS:]}")

    def press(self, wanted: str, key: str = "Enter") -> None:
        """Go to something by its role and the first words of its name, and press a key there."""
        self.reach(wanted)
        self.page.keyboard.press(key)

    def breathe(self) -> None:
        """Let time pass until the next key can be meant."""
        self.page.clock.run_for(BREATH)
        settled(self.page)


def told(node: dict[str, Any]) -> str:
    """Return the role of a node and its name."""
    return f"{node['role']['value']} {node.get('name', {}).get('value', '')}"
