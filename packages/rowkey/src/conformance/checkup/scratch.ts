// Tested by checkup.test.ts.
import { type Adapter, isPromise, type MaybePromise, type PageSource, pause, type TableSchema } from '#store/adapter'
import { RuleBroken } from '../check.js'
import { delegate, delegateTable } from '../delegate.js'
import { within } from '../suite/patience.js'
import { dropScratch } from './drop-scratch.js'
import { Latencies } from './latency.js'

/** Whether the calls of a rule may still begin. */
export interface Gate {
  /** Why they may not any more. */
  closed?: Error
}

/** How long a creation that was not answered may still take effect, in milliseconds. */
const settleMs = 1000

/**
 * The tables of a checkup, all of one prefix. Adapters that it guards refuse all others, and calls after their gate is closed; so a rule that was given up
 * creates nothing any more.
 */
export class Scratch {
  readonly latencies = new Latencies()
  private readonly prefix: string
  /** What was or may have been created and not dropped. */
  private readonly tables = new Map<string, TableSchema>()
  /** Of these, whose creation or drop was not answered well. */
  private readonly uncertain = new Set<string>()
  private readonly pending = new Set<Promise<unknown>>()

  constructor(prefix: string) {
    this.prefix = prefix
  }

  /** The adapter of a rule. */
  guarded(adapter: Adapter, gate: Gate): Adapter {
    const { latencies } = this
    const through = (): void => {
      if (gate.closed !== undefined) throw gate.closed
    }
    const source = (call: 'scan' | 'full scan', inner: PageSource): PageSource => ({
      next: (want) => {
        through()
        return latencies.timed(call, () => inner.next(want))
      },
      close: () => {
        inner.close()
      },
    })
    return delegate(adapter, {
      table: (schema, catalog) => {
        this.refuseOthers(schema.name)
        const store = adapter.table(schema, catalog)
        const { splits, purgeExpired } = store
        return delegateTable(store, {
          get: (keys, options) => {
            through()
            return latencies.timed('get', () => store.get(keys, options))
          },
          scan: (slice, options) => source('scan', store.scan(slice, options)),
          fullScan: (checkpoint, options) => source('full scan', store.fullScan(checkpoint, options)),
          ...(splits === undefined
            ? {}
            : {
                splits: (count, options) => {
                  through()
                  return latencies.timed('splits', () => splits.call(store, count, options))
                },
              }),
          ...(purgeExpired === undefined
            ? {}
            : {
                purgeExpired: async (...asked) => {
                  through()
                  return latencies.timed('purge', () => purgeExpired.call(store, ...asked))
                },
              }),
        })
      },
      write: (batch, options) => {
        through()
        for (const { schema } of batch) this.refuseOthers(schema.name)
        return this.counted(latencies.timed(batch.length === 1 ? 'write one' : 'write many', () => adapter.write(batch, options)))
      },
      describeTable: async (name) => {
        through()
        return latencies.timed('describe', () => adapter.describeTable(name))
      },
      ensureTable: async (schema, options) => {
        through()
        this.refuseOthers(schema.name)
        return this.counted(this.created(schema, async () => latencies.timed('create', () => adapter.ensureTable(schema, options))))
      },
      dropTable: async (name, options) => {
        through()
        this.refuseOthers(name)
        return this.counted(this.dropped(name, async () => latencies.timed('drop', () => adapter.dropTable(name, options))))
      },
    })
  }

  /** Resolves when all changes that were sent are answered, or after some milliseconds. */
  async settled(ms: number): Promise<void> {
    const all = Promise.allSettled(this.pending)
    if (this.pending.size > 0) await Promise.race([all, pause(ms)])
  }

  /**
   * Drops all tables that are left, with another adapter than those of rules. It gives up when one of them takes longer than so many milliseconds.
   *
   * @returns the names of those that it could not drop
   */
  async clean(open: () => Promise<Adapter>, ms: number): Promise<readonly string[]> {
    if (this.tables.size === 0) return []
    const mayAppear = [...this.uncertain].flatMap((name) => {
      const schema = this.tables.get(name)
      return schema === undefined ? [] : [schema]
    })
    try {
      const adapter = await within(ms, 'opening it again', open())
      for (const schema of this.tables.values()) await within(ms, schema.name, this.removed(adapter, schema))
      if (mayAppear.length > 0) await pause(settleMs)
      for (const schema of mayAppear) await within(ms, schema.name, this.removed(adapter, schema))
    } catch {
      // it does not answer, so all that is not dropped yet is left
    }
    return [...this.tables.keys()]
  }

  private async removed(adapter: Adapter, schema: TableSchema): Promise<void> {
    await this.dropped(schema.name, () => dropScratch(adapter, schema)).catch(() => {
      this.tables.set(schema.name, schema) // it was dropped before, and has appeared again
    })
  }

  private async created<T>(schema: TableSchema, run: () => Promise<T>): Promise<T> {
    const { name } = schema
    this.tables.set(name, schema)
    this.uncertain.add(name)
    const catalog = await run()
    this.tables.set(name, schema)
    this.uncertain.delete(name)
    return catalog
  }

  private async dropped(name: string, run: () => Promise<void>): Promise<void> {
    await run()
    this.tables.delete(name)
  }

  /** A change that may be under way when a checkup ends. */
  private counted<T>(answer: MaybePromise<T>): MaybePromise<T>
  private counted<T>(answer: Promise<T>): Promise<T>
  private counted<T>(answer: MaybePromise<T>): MaybePromise<T> {
    if (!isPromise(answer)) return answer
    this.pending.add(answer)
    const end = (): void => void this.pending.delete(answer)
    answer.then(end, end)
    return answer
  }

  /** @throws RuleBroken */
  private refuseOthers(name: string): void {
    if (!name.startsWith(this.prefix)) throw new RuleBroken(`table '${name}' is outside of the prefix ${this.prefix} of this check`)
  }
}
