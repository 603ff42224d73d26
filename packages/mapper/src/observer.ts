/** What the application gives the mapper to be told of things. It may be async, and what it gives is of no interest: nobody waits for it. */
export type Observer<T> = (about: T) => unknown

/**
 * Tells an observer. What it throws, and what it rejects with, goes to `console.error`: the call that is told of has succeeded or failed
 * already, and whoever watches must neither change that nor end the process.
 */
export function tell<T>(name: string, observer: Observer<T>, about: T): void {
  const report = (error: unknown): void => {
    try {
      console.error(`rowkey: ${name} threw`, error)
    } catch {
      // It cannot even be shown, and there is nobody else to tell.
    }
  }
  try {
    hearOut(observer(about), report)
  } catch (error) {
    report(error)
  }
}

/** Takes what a function gave that may not be async: the call is refused for it, and the process must not end by what it rejects with. */
export function ignore(answer: unknown): void {
  hearOut(answer, () => undefined)
}

/** Handles a rejection, if there is one to come. Most functions give undefined, which costs no promise. */
function hearOut(answer: unknown, failed: (error: unknown) => void): void {
  if ((typeof answer !== 'object' || answer === null) && typeof answer !== 'function') return
  // A promise settles once, whatever a `then` of the application's own does.
  const waiting = async (): Promise<unknown> => answer
  waiting().catch(failed)
}
