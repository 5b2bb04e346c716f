/** Median of numbers; the middle of the sorted list. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Runs the variants in turn, A B A B …, and gives the median of each: drift of the machine hits all alike.
 * No forced garbage collection: it throws away optimised code and measures the compiler instead. */
export async function sideBySide(variants, rounds, warmup = 3) {
  const seen = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
  for (let round = -warmup; round < rounds; round++) {
    for (const [name, run] of Object.entries(variants)) {
      const value = await run();
      if (round >= 0) seen[name].push(value);
    }
  }
  return Object.fromEntries(Object.entries(seen).map(([name, values]) => [name, median(values)]));
}

/** One line of a report. */
export function line(name, value, unit) {
  return { name, value, unit };
}
