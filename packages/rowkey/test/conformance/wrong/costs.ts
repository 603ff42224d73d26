import { type Adapter, type Mutation, type Page, type PageSource, rowkeyOf } from '#store/adapter'
import { memory } from '#memory'
import { delegate, delegateTable } from '../../../src/conformance/delegate.js'
import { mapped, type Wrong } from './wrong.js'

/** Where a store that keeps all that rows were before pays for it. */
interface Payments {
  /** What is read beyond the rows of a page. */
  page?(past: number): Partial<Pick<Page, 'examined' | 'cost'>>
  get?: true
  change?: Mutation['kind']
  purge?: true
}

/** A memory adapter whose calls cost more the more often rows were put, in pages or in bytes between client and server. */
function growing(mistake: string, payments: Payments): Wrong {
  const create = () => {
    const base = memory()
    const puts = new Map<string, number>()
    let bytes = 0
    const pay = (isDue: boolean, past: number): void => void (bytes += 100 + (isDue ? 10 * past : 0))
    const keyOf = ({ schema, row }: Mutation): string => `${schema.name} ${rowkeyOf(schema, row)}`
    const pastOf = (name: string): number => [...puts].reduce((sum, [key, count]) => sum + (key.startsWith(`${name} `) ? count - 1 : 0), 0)
    const adapter: Adapter = delegate(base, {
      write(batch, options) {
        for (const mutation of batch) {
          const key = keyOf(mutation)
          pay(mutation.kind === payments.change, puts.get(key) ?? 0)
          if (mutation.kind === 'put') puts.set(key, (puts.get(key) ?? 0) + 1)
        }
        return base.write(batch, options)
      },
      table(schema, catalog) {
        const store = base.table(schema, catalog)
        const paid = (source: PageSource): PageSource => mapped(source, (page) => ({ ...page, ...payments.page?.(pastOf(schema.name)) }))
        return delegateTable(store, {
          get(keys, options) {
            pay(payments.get === true, pastOf(schema.name))
            return store.get(keys, options)
          },
          scan: (slice, options) => paid(store.scan(slice, options)),
          async purgeExpired(now, limit, options) {
            pay(payments.purge === true, pastOf(schema.name))
            return (await store.purgeExpired?.(now, limit, options)) ?? 0
          },
        })
      },
    })
    return { adapter, traffic: () => bytes }
  }
  return { mistake, caughtBy: 'SCAN-16', create }
}

/** Calls that cost more the more often a row was replaced. */
export const growingCosts: readonly Wrong[] = [
  growing('a scan examines what a row was before', { page: (past) => ({ examined: 40 + past }) }),
  growing('a scan asks once more for each hundred times that a row was replaced', {
    page: (past) => ({ cost: { calls: 1 + Math.floor(past / 100) } }),
  }),
  growing('a scan sends what a row was before', { page: (past) => ({ cost: { calls: 1, bytes: 1000 + 20 * past } }) }),
  growing('a get sends what a row was before', { get: true }),
  growing('an update sends what a row was before', { change: 'update' }),
  growing('a put over a row sends what it was before', { change: 'put' }),
  growing('a purge reads each expiry that a row had', { purge: true }),
]
