// The rounds of a game as this phone stores it (see facts.js): compared, and what of them is unsent.

export const emptyRound = ({ names }) => ({ bids: names.map(() => null), tricks: null, tally: null });
export const roundOf = (game, n) => game.rounds[n - 1] ?? emptyRound(game);

/** Return the numbers of the unsent rounds, in the order in which they are sent. */
export function unsentRounds(game) {
  const numbers = [];
  for (let n = game.base.length; n > game.rounds.length; n -= 1) numbers.push(n);
  game.rounds.forEach((round, at) => {
    if (!isSame(round, game.base[at] ?? emptyRound(game))) numbers.push(at + 1);
  });
  return numbers;
}

/** Return the numbers of the rounds that another phone recorded differently. */
export const conflicts = (game) => Object.keys(game.theirs).map(Number).sort((a, b) => a - b);

export const hasConflict = (game) => conflicts(game).length > 0;

/** Return whether two rounds have the same entries. */
export function isSame(one, other) {
  return JSON.stringify(cells(one)) === JSON.stringify(cells(other));
}

/** Return the entries of a round as a list. */
export const cells = (round) => [round.bids, countsOf(round), notesOf(round)];

/** Return the penalties of a round, whether it is the last, and who takes a seat from it on. */
export const notesOf = ({ penalties = [], last_round = false, substitutes = [] }) =>
  ({ penalties, last_round, substitutes });

/** Return the trick counts of a round: scored, or counted so far. */
export const countsOf = ({ bids, tricks, tally }) =>
  tricks ? { tricks, tally: null } : { tricks: null, tally: tally ?? bids.map(() => null) };
