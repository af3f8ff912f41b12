// The rules on the phone: the same facts and rule values score as on the server, number for number.
// Seats and sides count from 0, rounds from 1; null is off, open, or nobody. Nothing is changed in
// place. There are no sentences here: a code and its values become one in `say`.
//
// rules: the fields of a RuleSet, by name      bid: a number, "nil" or "blind nil"
// round: {bids, tricks, tally}, by seat        refusal: {seat, code, values}
// score: what scoreSide returns, for a side    notice: {kind, code, values}
// board: what fold returns                     totals, bags: by side

const isNumber = (bid) => typeof bid === "number";
const isNil = (bid) => typeof bid === "string";
const sum = (counts) => counts.reduce((all, count) => all + (count ?? 0), 0);
const put = (list, at, value) => list.map((old, index) => (index === at ? value : old));
const nobody = (players) => Array(players).fill(null);
const sideOf = (sides, seat) => sides.findIndex((seats) => seats.includes(seat));

/** Points as they are printed. */
export const minus = (points) => (points < 0 ? `\u2212${-points}` : `${points}`);
export const signed = (points) => (points > 0 ? `+${points}` : minus(points));

/** `refusals` has one for each seat at fault. */
export class Refused extends Error {
  constructor(refusals) {
    super(refusals.map(({ code }) => code).join(" "));
    this.refusals = refusals;
  }
}

// Bids

/** Return the bid that is written; RangeError where none is. */
export function parseBid(text) {
  if (/^[0-9]{1,2}$/.test(text)) return Number(text);
  if (text === "nil" || text === "blind nil") return text;
  throw new RangeError(text);
}

/** Return the seats of each side; partners sit opposite each other. */
export function sidesOf(rules, players) {
  const seats = [...Array(players).keys()];
  if (!rules.partnerships) return seats.map((seat) => [seat]);
  const half = Math.floor(players / 2);
  return seats.slice(0, half).map((seat) => [seat, seat + half]);
}

export function biddingOrder(players, dealer) {
  return nobody(players).map((_, step) => (dealer + step + 1) % players);
}

export const contract = (bids) => sum(bids.filter(isNumber));

export function calls(rules) {
  const found = [];
  if (rules.nil_points !== null) found.push("nil");
  if (rules.blind_nil_points !== null) found.push("blind nil");
  for (let bid = rules.minimum_bid; bid <= rules.tricks; bid += 1) found.push(bid);
  return found;
}

/** Return why a seat may not make a call, or null; `totals` are those before the round. */
export function refusal(rules, bids, seat, bid, totals) {
  const others = put(bids, seat, null);
  const own = isNil(bid)
    ? nilReason(rules, others, seat, bid, totals)
    : numberReason(rules, bid);
  const reason = own ?? boardReason(rules, others, seat, bid) ?? hookReason(rules, others, bid);
  return reason && refuse(seat, ...reason);
}

/** Return the refusals among the bids of a round that is bid to the end. */
export function checkBids(rules, bids, totals) {
  return bids.flatMap((bid, seat) => {
    if (bid === null) return [refuse(seat, "missing")];
    const made = bids.map((one, other) => (other < seat ? one : null));
    return refusal(rules, made, seat, bid, totals) ?? [];
  });
}

export function checkTricks(rules, counts) {
  const { tricks } = rules;
  const found = counts.flatMap((n, seat) =>
    n >= 0 && n <= tricks ? [] : [refuse(seat, "tricks_range", { tricks, n })],
  );
  const n = sum(counts);
  if (found.length || n === tricks) return found;
  return [refuse(null, "sum", { n, tricks })];
}

const refuse = (seat, code, values = {}) => ({ seat, code, values });

function numberReason({ minimum_bid: low, tricks: high, nil_points: nil }, bid) {
  if (bid < 1 || bid > high) return [nil === null ? "range_no_nil" : "range", { low, high }];
  return bid < low ? ["minimum", { low }] : null;
}

function nilReason(rules, others, seat, bid, totals) {
  if (bid === "nil") return rules.nil_points === null ? ["nil"] : null;
  if (rules.blind_nil_points === null) return ["blind_nil"];
  const sides = sidesOf(rules, others.length);
  const own = sideOf(sides, seat);
  const mateIsBlind = sides[own].some((mate) => others[mate] === "blind nil");
  if (rules.blind_nil_partners === "one" && mateIsBlind) return ["blind_nil_partner"];
  const deficit = rules.blind_nil_deficit;
  const behind = ahead(totals, own) - totals[own];
  if (deficit === null || behind >= deficit) return null;
  return ["blind_nil_deficit", { deficit, behind: Math.max(behind, 0) }];
}

const ahead = (totals, own) => Math.max(...totals.filter((_, side) => side !== own));

function boardReason(rules, others, seat, bid) {
  const { board } = rules;
  if (board === null) return null;
  const own = sidesOf(rules, others.length).find((seats) => seats.includes(seat));
  const together = own.map((mate) => (mate === seat ? bid : others[mate]));
  const n = contract(together);
  if (together.includes(null) || !together.some(isNumber) || n >= board) return null;
  return ["board", { board, n }];
}

function hookReason({ bids_may_equal_tricks: free, tricks }, others, bid) {
  const isLast = others.filter((one) => one === null).length === 1;
  return !free && isLast && contract([...others, bid]) === tricks ? ["hook", { tricks }] : null;
}

// Scores

/** Return what one side scores in one round, of which it has these bids and tricks. */
export function scoreSide(rules, bids, tricks, bagsBefore) {
  const open = bids.includes(null);
  if (bids.length !== tricks.length || (open && bids.some((bid) => bid !== null)))
    throw new RangeError("bids");
  const goal = open ? sum(tricks) : contract(bids);
  const hasContract = open || bids.some(isNumber);
  const [helping, byNil] = open ? [goal, 0] : tricksFor(rules, bids, tricks, hasContract);
  const made = hasContract ? helping >= goal : null;
  const each = rules.ten_for !== null && goal >= 10 ? rules.ten_for : rules.trick_points;
  const contractPoints = made ? goal * each : made === false ? 0 - goal * rules.set_points : 0;
  const nil = nilPoints(rules, bids, tricks);
  const spare = byNil + (made ? helping - goal : 0);
  const paid = Math.min(spare * rules.overtrick_points, rules.overtrick_cap ?? Infinity);
  const [penalty, bags] = countBags(rules, bagsBefore + spare);
  return {
    nil_points: nil,
    contract_points: contractPoints,
    overtrick_points: paid,
    bag_penalty: 0 - penalty,
    points: nil + contractPoints + paid - penalty,
    contract: goal,
    made,
    overtricks: spare,
    bags,
  };
}

// The tricks that help the contract, and those that are overtricks in any case.
function tricksFor({ failed_nil_tricks: failed }, bids, tricks, hasContract) {
  const numeric = byNumbers(bids, tricks);
  const byNil = sum(tricks) - numeric;
  if (failed === "ignored") return [numeric, 0];
  return failed === "contract" && hasContract ? [numeric + byNil, 0] : [numeric, byNil];
}

const byNumbers = (bids, tricks) => sum(tricks.filter((_, at) => isNumber(bids[at])));

const areBothNil = (rules, bids) =>
  rules.double_nil_points !== null && bids.length === 2 && bids.every((bid) => bid === "nil");

function nilPoints(rules, bids, tricks) {
  const score = (worth, count) => (count ? 0 - (worth ?? 0) : (worth ?? 0));
  if (areBothNil(rules, bids)) return score(rules.double_nil_points, sum(tricks));
  return sum(bids.map((bid, at) => (isNil(bid) ? score(nilWorth(rules, bid), tricks[at]) : 0)));
}

const nilWorth = (rules, bid) => (bid === "nil" ? rules.nil_points : rules.blind_nil_points);

// The penalty now due, and the bags that stay.
function countBags({ bag_limit: limit, bag_penalty: penalty, bag_remainder: rest }, bags) {
  if (limit === null || bags < limit) return [0, bags];
  if (rest === "dropped") return [penalty ?? 0, 0];
  return [(penalty ?? 0) * Math.floor(bags / limit), bags % limit];
}

// Games

/** Return the board that follows from the rounds, of which the last may be unfinished. */
export function fold(rules, players, firstDealer, rounds) {
  if (!rules.players.includes(players)) throw new RangeError("players");
  const sides = sidesOf(rules, players);
  const scored = [];
  let standing = { totals: Array(sides.length).fill(0), bags: Array(sides.length).fill(0) };
  let open = { bids: nobody(players), tricks: null, tally: null };
  let outcome = null;
  let uncounted = 0;
  const isOver = () => outcome !== null && outcome.winner !== null;
  const dealerOf = (number) => (firstDealer + number - 1) % players;
  for (const { bids, tricks = null, tally = null } of rounds) {
    if (isOver()) {
      uncounted += 1;
      continue;
    }
    if (open.bids.some((bid) => bid !== null)) throw new RangeError("rounds");
    if (tricks === null) {
      open = { bids, tricks, tally };
      continue;
    }
    const number = scored.length + 1;
    const before = standing;
    const scores = scoreSides(rules, sides, before.bags, bids, tricks);
    standing = {
      totals: before.totals.map((total, side) => total + scores[side].points),
      bags: scores.map(({ bags }) => bags),
    };
    outcome = outcomeOf(rules, standing.totals);
    const dealer = dealerOf(number);
    scored.push({ number, dealer, bids, tricks, scores, before, after: standing, outcome });
  }
  const over = isOver();
  const number = scored.length + (over ? 0 : 1);
  const dealer = dealerOf(number);
  const itself = bidsItself(rules, number);
  return {
    rules,
    players,
    sides,
    rounds: scored,
    standing,
    number,
    dealer,
    order: biddingOrder(players, dealer),
    places: standing.totals.map((own) => 1 + standing.totals.filter((one) => one > own).length),
    phase: over ? "over" : open.bids.includes(null) && !itself ? "bidding" : "playing",
    open,
    outcome,
    uncounted,
    bids_itself: itself,
  };
}

const bidsItself = (rules, number) => rules.first_round_bids_itself && number === 1;

function scoreSides(rules, sides, bags, bids, tricks) {
  const own = (list, seats) => seats.map((seat) => list[seat]);
  return sides.map((seats, side) =>
    scoreSide(rules, own(bids, seats), own(tricks, seats), bags[side]),
  );
}

/** Return whether totals after a round end the game, and for whom; null while it goes on. */
export function outcomeOf({ target, mercy }, totals) {
  const best = Math.max(...totals);
  const fallen = mercy !== null && Math.min(...totals) <= mercy;
  if (best < target && !fallen) return null;
  const leaders = totals.flatMap((total, side) => (total === best ? [side] : []));
  const alone = leaders.length === 1;
  return {
    reason: best >= target ? "target" : "mercy",
    winner: alone ? leaders[0] : null,
    tied: alone ? [] : leaders,
  };
}

// Entries: each returns the new facts of a round, or throws `Refused`

export function placeBid(board, number, round, seat, bid) {
  if (bidsItself(board.rules, number)) throw new Refused([refuse(seat, "bids_itself")]);
  const wrong = refusal(board.rules, round.bids, seat, bid, totalsBefore(board, number));
  if (wrong) throw new Refused([wrong]);
  return { ...round, bids: put(round.bids, seat, bid) };
}

/** Note a count, to be scored later; one by one, everybody else starts from nothing. */
export function countTricks(board, number, round, seat, count, oneByOne = false) {
  const { rules, players } = board;
  if (round.bids.includes(null) && !bidsItself(rules, number))
    throw new Refused([refuse(null, "bids_missing")]);
  const before = round.tally ?? nobody(players);
  const tally = put(oneByOne ? before.map((one) => one ?? 0) : before, seat, count);
  const n = sum(tally);
  if (count < 0 || count > rules.tricks || n > rules.tricks)
    throw new Refused([refuse(seat, "too_many", { n, tricks: rules.tricks })]);
  return { ...round, tally };
}

/** Drop the tally of a round that is complete and legal; bids that stood before were made. */
export function scoreRound(board, number, { bids, tricks }, before = null) {
  const { rules } = board;
  const itself = bidsItself(rules, number);
  const stood = before?.bids.every((bid, seat) => bid !== null && bid === bids[seat]);
  const wrong = itself || stood ? [] : checkBids(rules, bids, totalsBefore(board, number));
  if (itself && bids.some((bid) => bid !== null)) wrong.push(refuse(null, "bids_itself"));
  if (tricks) wrong.push(...checkTricks(rules, tricks));
  if (wrong.length) throw new Refused(wrong);
  return { bids, tricks: tricks ?? null, tally: null };
}

export function misdeal({ bids, tricks }) {
  if (tricks) throw new Refused([refuse(null, "misdeal")]);
  return { bids: nobody(bids.length), tricks: null, tally: null };
}

/** Fill in the last open count, as the others leave no choice. */
export function filledIn(tally, players, tricks) {
  if (!tally) return nobody(players);
  if (tally.filter((count) => count === null).length !== 1) return tally;
  return tally.map((count) => count ?? tricks - sum(tally));
}

export function totalsBefore(board, number) {
  return (board.rounds[number - 1]?.before ?? board.standing).totals;
}

/** Return what each side would score with these counts, or null while they are not complete. */
export function preview(board, tally) {
  const { rules, players, sides, standing, open, phase } = board;
  const counts = filledIn(tally, players, rules.tricks);
  const complete = counts.every((n) => n !== null && n >= 0) && sum(counts) === rules.tricks;
  if (phase !== "playing" || !complete) return null;
  return scoreSides(rules, sides, standing.bags, open.bids, counts);
}

// Words

/** Return the notices for a side, the most pressing first. */
export function warnings(board, side) {
  if (board.phase === "over") return [];
  const { rules, standing, outcome } = board;
  const total = standing.totals[side];
  const found = [];
  const tell = (kind, code, values = {}) => found.push({ kind, code, values });
  if (outcome?.tied.includes(side)) tell("plain", "tied");
  const left = rules.bag_limit - standing.bags[side];
  if (rules.bag_limit !== null && left >= 1 && left <= 2)
    tell("danger", "bags_left", { n: left, points: signed(0 - rules.bag_penalty) });
  const fall = total - rules.mercy;
  if (rules.mercy !== null && fall <= rules.tricks * rules.set_points)
    tell("danger", "floor", { n: fall, floor: minus(rules.mercy) });
  if (board.phase === "playing") canWinByBid(board, side, tell);
  else canWin(rules, rules.target - total, tell);
  const deficit = rules.blind_nil_deficit;
  const behind = ahead(standing.totals, side) - total;
  if (deficit !== null && board.phase === "bidding" && behind >= deficit)
    tell("plain", "may_blind_nil");
  return found;
}

function canWin(rules, missing, tell) {
  if (missing <= 0 || rules.trick_points === 0) return;
  const n = Math.max(Math.ceil(missing / rules.trick_points), rules.minimum_bid);
  const byNil = rules.nil_points !== null && missing <= rules.nil_points;
  if (n <= Math.floor((rules.tricks * 3) / 5)) tell("chance", byNil ? "wins_or_nil" : "wins", { n });
  else if (byNil) tell("chance", "wins_nil");
  else if (n <= rules.tricks) tell("plain", "needs", { n: missing });
}

function canWinByBid({ rules, sides, standing, open }, side, tell) {
  const bids = sides[side].map((seat) => open.bids[seat]);
  if (bids.includes(null)) return;
  const exact = bids.map((bid) => (isNumber(bid) ? bid : 0));
  const { points } = scoreSide(rules, bids, exact, standing.bags[side]);
  if (standing.totals[side] + points < rules.target) return;
  tell("chance", bids.every(isNil) ? "wins_if_nil" : "wins_if_made");
}

/** Return what led to a score, in the order of its parts, each with a code and values. */
export function explain(rules, bids, tricks, score, bagsBefore) {
  const lines = [];
  const tell = (code, values) => lines.push({ code, values });
  const points = signed(score.contract_points);
  if (bids.includes(null)) tell("itself", { n: sum(tricks), points });
  else if (score.made !== null) {
    const n = rules.failed_nil_tricks === "contract" ? sum(tricks) : byNumbers(bids, tricks);
    tell(score.made ? "made" : "set", { bid: score.contract, n, points });
  }
  explainNils(rules, bids, tricks, score, tell);
  explainBags(rules, score, bagsBefore, tell);
  return lines;
}

function explainNils(rules, bids, tricks, score, tell) {
  if (areBothNil(rules, bids)) {
    const n = sum(tricks);
    return tell(n ? "both_nil_failed" : "both_nil_kept", { n, points: signed(score.nil_points) });
  }
  bids.forEach((bid, at) => {
    if (!isNil(bid)) return;
    const [n, worth] = [tricks[at], nilWorth(rules, bid) ?? 0];
    const code = bid === "nil" ? "nil" : "blind_nil";
    tell(`${code}_${n ? "failed" : "kept"}`, { n, points: signed(n ? 0 - worth : worth) });
  });
}

function explainBags(rules, score, before, tell) {
  const { overtricks: n, overtrick_points: paid } = score;
  if (!n) return;
  const capped = paid < n * rules.overtrick_points;
  tell(capped ? "overtricks_capped" : "overtricks", { n, points: signed(paid) });
  const limit = rules.bag_limit;
  if (limit === null) return;
  const points = signed(score.bag_penalty);
  const values = { before, after: before + n, limit, left: score.bags, points };
  tell(score.bag_penalty ? "bags_penalty" : "bags", values);
}

/** Put in words; a phrase with plurals has a form for each way of counting. */
export function say(phrases, { code, values }, lang) {
  const phrase = phrases[code];
  const text = typeof phrase === "string" ? phrase : formOf(phrase, values.n, lang);
  return text.replace(/\{(\w+)\}/g, (_, name) => inOrder(values[name], lang));
}

const RIGHT_TO_LEFT = ["ar"];

/** A sign stays before its number, a suit behind, where writing goes from the right as well. */
export function inOrder(value, lang) {
  const turns = RIGHT_TO_LEFT.includes(lang) && /^[+\u2212]|[♣♦♥♠]/.test(value);
  return turns ? `\u2066${value}\u2069` : value;
}

function formOf(forms, n, lang) {
  return forms[new Intl.PluralRules(lang).select(n)] ?? forms.other;
}
