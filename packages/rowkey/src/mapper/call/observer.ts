/**
 * A function of the application that the mapper calls to report something. It may be async; the mapper ignores its result and does not wait
 * for it.
 */
export type Observer<T> = (about: T) => unknown

/**
 * Calls an observer. What it throws or rejects with goes to `console.error`: the reported call has already succeeded or failed, and an
 * observer must neither change that nor end the process.
 */
export function tell<T>(name: string, observer: Observer<T>, about: T): void {
  const report = (error: unknown): void => {
    try {
      console.error(`rowkey: ${name} threw`, error)
    } catch {
      // It cannot even be printed, and there is nobody else to report it to.
    }
  }
  try {
    hearOut(observer(about), report)
  } catch (error) {
    report(error)
  }
}

/** Handles the result of a function that must not be async. The call is refused because of it, and a rejection must not end the process. */
export function ignore(answer: unknown): void {
  hearOut(answer, () => undefined)
}

/** Handles a rejection that may still come. Most functions return undefined, which costs no promise. */
function hearOut(answer: unknown, failed: (error: unknown) => void): void {
  if ((typeof answer !== 'object' || answer === null) && typeof answer !== 'function') return
  // A promise settles once, whatever a `then` of the application's own does.
  const waiting = async (): Promise<unknown> => answer
  waiting().catch(failed)
}
