import type { Answer } from '../contract/reading.js'
import type { Mutation, Outcome } from '../contract/writing.js'
import type { Sending, Writer } from './sending.js'
import { isPromise } from '../scan/answer.js'
import { ask, askAgain } from './ask.js'
import { backOff } from './back-off.js'
import { isOpenEnd, outcomeError, overError } from './outcome-error.js'
import { inTheEnd, mayRepeat } from './repeatable.js'
import { settled } from './settle.js'

/**
 * Applies one mutation or says why not. What the store did not get to is sent again after a pause, and so is what may be repeated
 * although nobody knows what became of it. At once where the adapter answers at once.
 *
 * @throws RowkeyError `ROW_EXISTS` (insert), `ROW_MISSING` (update), `VERSION_CONFLICT`, `WRITE_FAILED` (surely not applied),
 * `OUTCOME_UNKNOWN`, `DEADLINE`; the reason of an aborted signal
 */
export function writeOne(writer: Writer, mutation: Mutation, sending: Sending): Answer<void> {
  const answer = ask(writer, [mutation], sending)
  if (isPromise(answer)) return finished(writer, mutation, sending, answer)
  const [outcome] = answer
  if (outcome?.kind !== 'applied') return finished(writer, mutation, sending, answer)
}

async function finished(writer: Writer, mutation: Mutation, sending: Sending, first: Answer<readonly Outcome[]>): Promise<void> {
  let answer = first
  let known: Outcome | undefined
  for (let attempt = 1; ; attempt++) {
    const outcome = (await answer)[0] as Outcome
    known = inTheEnd(known, outcome)
    if (known.kind === 'applied') return
    if (!mayRepeat(mutation, outcome, writer) || !(await backOff(writer, attempt, sending))) break
    answer = askAgain(writer, [mutation], sending)
  }
  const [last = known] = await settled(writer, [mutation], [known], sending)
  if (last.kind === 'applied') return
  if (sending.cancellation?.isOver === true && isOpenEnd(last)) throw overError(sending.cancellation, [mutation], [last])
  throw outcomeError(mutation, last)
}
