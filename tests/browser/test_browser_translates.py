"""Evenings on pages that the browser translates meanwhile, as Chrome does unasked."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Nil, contract
from scorekeeper.rules.game import fold
from scorekeeper.rules.presets import PRESETS, at_table
from tests.browser.app_server import Table
from tests.browser.measures import width
from tests.browser.player import Player
from tests.browser.test_whole_games import TAPPED, shows, whole_game

# Makes each word longer, in texts that are there and in those that come: in place, or as Chrome
# does by two elements in place of the text. One that `heeds` what must not be translated leaves
# that as it is.
TRANSLATOR = """
({ replaces, heeds }) => {
  const written = new WeakMap();
  const translated = (text) => text.replace(/\\p{L}+/gu, (word) => `${word}o`);
  const isTaken = (parent) =>
    parent && !parent.closest("script, style, template, textarea, font")
    && !(heeds && parent.closest("[translate=no]"));
  const translate = (text) => {
    const { data, parentElement } = text;
    if (!data.trim() || written.get(text) === data || !isTaken(parentElement)) return;
    const words = translated(text.data);
    if (replaces) {
      const [outer, inner] = ["font", "font"].map((name) => document.createElement(name));
      inner.append(words);
      outer.append(inner);
      text.replaceWith(outer);
    } else {
      written.set(text, words);
      text.data = words;
    }
  };
  const look = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return translate(node);
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) found.push(texts.currentNode);
    found.forEach(translate);
  };
  const begin = () => {
    look(document.body);
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) [target, ...addedNodes].forEach(look);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
}
"""
TRANSLATORS = {
    "all texts": {"replaces": True, "heeds": True},
    "all texts, figures and names": {"replaces": True, "heeds": False},
    "words": {"replaces": False, "heeds": True},
    "words and names": {"replaces": False, "heeds": False},
}
PLAYERS = 4


def translate(page: Page, how: str) -> None:
    """Translate the pages that are opened from now on."""
    page.add_init_script(f"({TRANSLATOR.strip()})({json.dumps(TRANSLATORS[how])})")


def figures(page: Page, part: str) -> list[int]:
    """Return the numbers that a part of the page shows."""
    return [int(number) for number in re.findall(r"\d+", page.locator(part).inner_text())]


@pytest.mark.browser_context_args(service_workers="block")
@pytest.mark.parametrize("how", TRANSLATORS)
def test_an_evening_on_a_translated_page(table: Table, player: Player, how: str) -> None:
    page = player.page
    translate(page, how)
    rules = at_table(PRESETS["cutthroat-lite"], PLAYERS)
    rounds = whole_game(rules, PLAYERS, seed=4)
    stored_game = table.begin(first_dealer=PLAYERS - 1)
    for round_ in rounds[:-TAPPED]:
        stored_game.play(round_.bids, round_.tricks or ())
    player.open(stored_game.path)
    for number, round_ in enumerate(rounds[-TAPPED:], len(rounds[:-TAPPED]) + 1):
        state = fold(rules, PLAYERS, PLAYERS - 1, rounds[: number - 1])
        player.bid(*(round_.bids[seat] for seat in state.order[:-1]))
        bids = [round_.bids[seat] for seat in state.order[:-1]]
        assert figures(page, ".counted") == [contract(bids), 10]
        for shown, bid in zip(page.locator(".seat-bid").all(), bids, strict=False):
            expect(shown).to_have_text(re.compile("Nilo?" if bid is Nil.NIL else str(bid)))
        assert width(page) == 390
        player.bid(round_.bids[state.order[-1]])
        player.take(*(round_.tricks[seat] for seat in state.order[:-1]))
        taken = [str(round_.tricks[seat]) for seat in state.order]
        expect(page.locator(".seat-count")).to_have_text(taken)
        player.score()
        shows(player, fold(rules, PLAYERS, PLAYERS - 1, rounds[:number]))
        assert width(page) == 390
    expect(page.locator("#won")).to_be_visible()


def test_a_new_game_on_a_translated_page_starts_with_one_tap(table: Table, phone: Page) -> None:
    translate(phone, "all texts")
    phone.goto("/games/new")
    for seat, name in enumerate(("Ana", "Ben", "Cy", "Dana"), 1):
        phone.locator(f"#player-{seat}").fill(name)
    expect(phone.locator("#start")).to_have_text("Starto gameo")
    phone.locator("#start").tap()
    expect(phone.locator("#pad")).to_be_visible()
