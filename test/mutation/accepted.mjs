/*
 * Why survivors may survive. A rule holds for mutants whose `file` (below the core) matches, and, where given: name of the mutator, a part of the
 * `line` of source, exactly the mutated `code`, exactly the `replacement`. The first rule that fits gives the reason.
 */
export const ACCEPTED = [];
