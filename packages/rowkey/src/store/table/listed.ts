/** The differences that a message lists. Those of the first columns tell why most others are there. */
const maxLines = 12

/** Differences as lines of a message. */
export function listed(differences: readonly string[]): readonly string[] {
  return [
    ...differences.slice(0, maxLines).map((difference) => `  - ${difference}`),
    ...(differences.length > maxLines ? [`  - and ${differences.length - maxLines} more`] : []),
  ]
}
