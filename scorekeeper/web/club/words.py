"""What pages of a club night say: formats, why something is refused, and why an entry is ahead."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from scorekeeper.club.events import Format
from scorekeeper.club.night import Night, NightRefused
from scorekeeper.club.standings import Why
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.sentence import N_, Sentence
from scorekeeper.web.text.wording import bdi, minus

FORMATS: Mapping[Format, tuple[Sentence, Sentence]] = {
    "swiss": (N_("Swiss"), N_("Winners meet winners, nobody is out")),
    "all_play_all": (N_("All play all"), N_("Each team meets each other once")),
    "knock_out": (N_("Knock-out"), N_("Who loses is out")),
    "change_partners": (N_("Change partners"), N_("A new partner in each match, one list")),
    "halves": (N_("A stays, B moves"), N_("Half of the teams keep their tables")),
    "progressive": (N_("Progressive"), N_("Winners go one table up, losers stay")),
}
REFUSALS: Mapping[str, Sentence] = {
    "format_begun": N_("The first match has started, so the format stays."),
    "entries": N_("Who plays is entered for another format. Set up a new evening."),
    "names": N_("Write two or three names in a line, such as Ana & Ben."),
    "name_twice": N_("Entered twice: {names}. Add a letter to tell them apart."),
    "knock_out_begun": N_("The knock-out has begun: nobody can join it."),
    "running": N_("A match is still being played. Close it first."),
    "stale": N_("Players have come or gone since. Pair this match again."),
    "begun": N_("The next match has started."),
    "not_next": N_("Match {match} comes next."),
    "open": N_("No result yet at table {tables}. Wait, or enter it by hand."),
    "question": N_("Two results differ at table {tables}. Choose one of them."),
    "tied": N_("It’s a tie at table {tables}. Play another round there."),
    "not_started": N_("This match has not started."),
    "over": N_("This evening has ended."),
    "closed": N_("A closed match needs a result at each table. Reopen it first."),
    "best": N_("Choose 2, 4, 8, 16 or 32 of the {most} who are here."),
    "few": N_("At least {least} have to be here."),
    "knock_out_over": N_("The knock-out has its winner. End the evening."),
    "entry_twice": N_("Choose each team once."),
    "no_entry": N_("They don’t play in this match."),
}
TOLD: Mapping[str, Sentence] = {
    "standings": N_("Match {match} was corrected: the standings are new, match {begun} stays."),
    "bracket": N_(
        "Match {match} was corrected: another team would have gone on, but match {begun} stays."
    ),
}
WHYS: Mapping[str, Sentence] = {
    "match_points": N_("match points {ahead} to {behind}"),
    "wins": N_("wins {ahead} to {behind}"),
    "points": N_("points {ahead} to {behind}"),
    "difference": N_("point difference {ahead} to {behind}"),
    "bags": N_("bags {ahead} to {behind}"),
    "head_to_head": N_("won against them"),
    "play_off": N_("won the play-off"),
    "lot": N_("drawn by lot"),
    "knock_out": N_("wins in the knock-out {ahead} to {behind}"),
    "first_phase": N_("by the standings before the knock-out"),
}


def refusal(refused: NightRefused) -> str:
    """Return why something cannot happen now, and what to do."""
    sentence = REFUSALS.get(refused.code)
    if sentence is None:  # what none of our pages asks for
        return _("That isn’t possible now. Look at the evening again.")
    about = {name: _told(value) for name, value in refused.about.items()}
    return translate(sentence.about(**about))


def _told(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def why(reason: Why) -> str:
    """Return why an entry is behind the one before."""
    show = halves if reason.code == "match_points" else minus
    sentence = WHYS[reason.code].about(ahead=show(reason.ahead), behind=show(reason.behind))
    return translate(sentence)


def halves(count: int) -> str:
    """Return match points, which are counted in halves."""
    return minus(count // 2) if count % 2 == 0 else f"{minus(count // 2) if count > 1 else ''}½"


def team(night: Night, entry: int) -> Markup:
    """Return the names of an entry."""
    return joined(night.entries[entry].names)


def joined(names: Sequence[str]) -> Markup:
    """Return names with an ampersand between them."""
    return Markup(" &amp; ").join(bdi(name) for name in names)


def lines(night: Night) -> str:
    """Return the entries that are here as they are typed, a line each."""
    return "\n".join(" & ".join(night.entries[one].names) for one in night.present)
