import type { TableSchema } from 'rowkey'
import { type Adapter, isPromise, type Page, type PageSource, type Slice } from 'rowkey/adapter'
import { compileFilter } from 'rowkey/internal'
import { setImmediate } from 'node:timers/promises'
import type { Random } from '../../packages/rowkey/src/conformance/oracle/random.js'
import { wrapped } from './wrapped.js'
import type { Watch } from './watched.js'

/** What a restless adapter may do. */
export interface Habits {
  /** Give more rows than wanted, as stores do that read whole blocks. */
  readonly blocks: boolean
  /** Check the slice's filter itself, so that pages lack rows they examined. */
  readonly filters: boolean
}

/**
 * An adapter that answers as real ones may: now or later, in pages of any size, with empty pages in between, with `last`. Every
 * source is watched.
 */
export function restless(base: Adapter, random: Random, watch: Watch, habits: Habits): Adapter {
  return wrapped(base, {
    scan: (slice, inner, _options, schema) => watch.source(new RestlessSource(inner(), slice, schema, random, habits)),
    get: (keys, inner, options) => later(random, () => inner(keys, options)),
    write: (_batch, inner) => later(random, inner),
  })
}

class RestlessSource implements PageSource {
  private ended = false
  private readonly inner: PageSource
  private readonly keyLength: number
  private readonly passes: ((row: readonly unknown[]) => boolean) | undefined
  private readonly random: Random
  private readonly habits: Habits

  constructor(inner: PageSource, slice: Slice, schema: TableSchema, random: Random, habits: Habits) {
    this.inner = inner
    this.keyLength = schema.keyLength
    this.random = random
    this.habits = habits
    const filter = habits.filters ? slice.filter : undefined
    this.passes = filter === undefined ? undefined : (compileFilter(schema, filter) as (row: readonly unknown[]) => boolean)
  }

  next(want: number): ReturnType<PageSource['next']> {
    return later(this.random, () => this.page(want))
  }

  close(): void {
    this.inner.close()
  }

  private page(want: number): Page | undefined {
    const { random } = this
    if (random.chance(0.1)) return { rows: [], examined: 0 }
    if (this.ended) return undefined
    const most = this.habits.blocks && random.chance(0.3) ? want + 1 + random.below(5) : 1 + random.below(want)
    const page = this.inner.next(most)
    if (isPromise(page)) throw new Error('the store below answers at once')
    if (page === undefined) {
      this.ended = true
      return undefined
    }
    const rows = this.passes === undefined ? page.rows : page.rows.filter(this.passes)
    const end = page.rows.at(-1)
    // Needed where the last examined row is not returned, allowed elsewhere; a key is enough.
    const mustTell = end !== undefined && rows.at(-1) !== end
    const last = end !== undefined && (mustTell || random.chance(0.3)) ? { last: end.slice(0, this.keyLength) } : {}
    return { rows, examined: page.examined, ...last, cost: { calls: 1, bytes: 10 } }
  }
}

/** At once, or after some turns of the event loop. A throw may become a rejection. */
function later<T>(random: Random, answer: () => T | Promise<T>): T | Promise<T> {
  if (random.chance(0.3)) return answer()
  const turns = random.below(4)
  const wait = async (): Promise<T> => {
    for (let i = 0; i < turns; i++) await Promise.resolve()
    if (random.chance(0.02)) await setImmediate()
    return answer()
  }
  return wait()
}
