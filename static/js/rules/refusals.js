// What the rules refuse, as sentences of a seat.

/** Thrown for an illegal entry; `refusals` has one item for each seat at fault. */
export class Refused extends Error {
  constructor(refusals) {
    super(refusals.map(({ code }) => code).join(" "));
    this.refusals = refusals;
  }
}

/** Return a refusal; `seat` is null where it is about the whole round. */
export const refuse = (seat, code, values = {}) => ({ seat, code, values });
