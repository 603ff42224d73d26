// Tested by conformance.test.ts.
import type { Adapter } from '#store/adapter'
import type { OpenAdapter } from '../open-adapter.js'
import { delegate, delegateTable } from '../delegate.js'

/** An adapter that can be made silent, as if its server had stopped. */
export interface Silenced {
  readonly adapter: Adapter
  /** From now on nothing is answered, until the function that this resolves to is called. */
  silence(): Promise<() => Promise<void>>
}

const never = (): Promise<never> => new Promise(() => undefined)

/**
 * With the means of the adapter's tests if they have any, such as a proxy that holds back answers; otherwise with answers that never come.
 */
export function silenced(opened: OpenAdapter): Silenced {
  const { adapter } = opened
  const silence = opened.silence?.bind(opened)
  if (silence !== undefined) {
    return {
      adapter,
      async silence() {
        const end = await silence()
        return async () => end()
      },
    }
  }
  let isSilent = false
  const or = <T>(run: () => T): T | Promise<never> => (isSilent ? never() : run())
  return {
    adapter: delegate(adapter, {
      table(schema, catalog) {
        const store = adapter.table(schema, catalog)
        const source = (open: () => ReturnType<typeof store.scan>): ReturnType<typeof store.scan> => {
          const inner = open()
          return {
            next: (want) => or(() => inner.next(want)),
            close: () => {
              inner.close()
            },
          }
        }
        const { purgeExpired, splits } = store
        return delegateTable(store, {
          get: (keys, options) => or(() => store.get(keys, options)),
          scan: (slice, options) => source(() => store.scan(slice, options)),
          fullScan: (checkpoint, options) => source(() => store.fullScan(checkpoint, options)),
          ...(splits === undefined ? {} : { splits: (...asked: Parameters<typeof splits>) => or(() => splits.call(store, ...asked)) }),
          ...(purgeExpired === undefined
            ? {}
            : { purgeExpired: (...asked: Parameters<typeof purgeExpired>) => or(() => purgeExpired.call(store, ...asked)) }),
        })
      },
      write: (batch, options) => or(() => adapter.write(batch, options)),
      ensureTable: (schema, options) => or(() => adapter.ensureTable(schema, options)),
      describeTable: (name) => or(() => adapter.describeTable(name)),
      dropTable: (name, options) => or(() => adapter.dropTable(name, options)),
    }),
    async silence() {
      isSilent = true
      return async () => void (isSilent = false)
    },
  }
}
