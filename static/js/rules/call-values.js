// Values that are lists of steps: what a bid is worth, and what is required from a total on.

/** Return the steps of a table of values, such as "1-6:1,7-13:2" or "5-6:1@30". */
function callSteps(callValues) {
  const steps = callValues ? callValues.split(",") : [];
  return steps.map((step) => {
    const [low, high, factor, total = null] = step.split(/[-:@]/).map(Number);
    return { low, high, factor, total };
  });
}

/** Return how many times a bid counts; of several steps that fit the last decides. */
export function callFactor(callValues, bid, own) {
  const fits = ({ low, high, total }) => low <= bid && bid <= high && (total === null || own >= total);
  return callSteps(callValues).findLast(fits)?.factor ?? 1;
}

/** Return the pairs of a total and a number in a value such as "30:12,40:13". */
const totalSteps = (steps) =>
  steps ? steps.split(",").map((step) => step.split(":").map(Number)) : [];

/** Return the number of the last step that a total reaches; before the first one, `otherwise`. */
export function fromTotal(steps, own, otherwise) {
  return totalSteps(steps).findLast(([total]) => own >= total)?.[1] ?? otherwise;
}
