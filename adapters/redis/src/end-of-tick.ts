/** Runs when everything that is ready to run has run: what concurrent calls ask for can go together without waiting for anything. */
export function atEndOfTick(run: () => void): void {
  queueMicrotask(() => process.nextTick(run)) // behind all microtasks, also those that they bring about
}
