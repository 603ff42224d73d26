// Tested by writes-order.test.ts.
import type { Cancellation, MaybePromise } from '@rowkey/store/adapter'
import { beforeWriting } from '../call/cancellation.js'
import type { TableHandle } from './table-handle.js'

/**
 * Sends writes when their tables are open: in the order of the calls, however each of them waits. Immediately if nothing has to be waited for. If
 * the caller stops waiting first, the write reports that, and says that nothing was sent.
 */
export function enterTables<T>(
  handles: readonly TableHandle[],
  cancellation: Cancellation | undefined,
  send: () => MaybePromise<T>,
): MaybePromise<T> {
  if (handles.every(isEntered)) return send()
  const ready = handles.map(async ({ mapper: { tables }, schema }) => Promise.all([tables.get(schema), tables.entering.get(schema.name)]))
  return enterAfter(Promise.all(ready), handles, cancellation, send)
}

/** Whether a write of the table waits for nothing. */
export const isEntered = ({ mapper: { tables }, schema }: TableHandle): boolean =>
  tables.peek(schema) !== undefined && (tables.entering.size === 0 || !tables.entering.has(schema.name))

async function enterAfter<T>(
  ready: Promise<unknown>,
  handles: readonly TableHandle[],
  cancellation: Cancellation | undefined,
  send: () => MaybePromise<T>,
): Promise<T> {
  let enter = (): void => undefined
  const entered = new Promise<void>((resolve) => (enter = resolve))
  for (const { mapper, schema } of handles) mapper.tables.entering.set(schema.name, entered)
  const leave = (): void => {
    for (const { mapper, schema } of handles) {
      if (mapper.tables.entering.get(schema.name) === entered) mapper.tables.entering.delete(schema.name)
    }
    enter()
  }
  let sent: MaybePromise<T>
  try {
    await beforeWriting(cancellation, ready)
    sent = send() // not awaited: the next one enters when this one is on its way, not when it is answered
  } finally {
    ready.then(leave, leave) // also if the caller has stopped waiting: those before it may not have entered
  }
  return sent
}
