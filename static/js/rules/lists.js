// Lists with a value for each seat; null for one that is open.

export const sum = (counts) => counts.reduce((all, count) => all + (count ?? 0), 0);
export const replaced = (list, at, value) => list.map((old, index) => (index === at ? value : old));
export const empties = (players) => Array(players).fill(null);
