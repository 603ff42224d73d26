import { checkup, checkupNameLength, checkupTitles, conformance, sizeOf, type Verdict } from '#conformance'
import { memory } from '#memory'
import type { Adapter } from '#store/adapter'
import { expect, test } from 'vitest'
import { delegate } from '../../src/conformance/delegate.js'
import { withoutLarge } from '../../../../test/setup/large-rules.js'
import { Random } from '../../src/conformance/oracle/random.js'

const given = { prefix: 'scratch_', seed: 7, limit: 20_000 }

/** Adapters over one store, whose tables can be listed. */
function store(through: (adapter: Adapter) => Adapter = (adapter) => adapter) {
  const base = memory()
  const tables = new Set<string>()
  const adapter = delegate(base, {
    close: () => Promise.resolve(),
    ensureTable: async (schema, options) => {
      const catalog = await base.ensureTable(schema, options)
      tables.add(schema.name)
      return catalog
    },
    dropTable: async (name, options) => {
      await base.dropTable(name, options)
      tables.delete(name)
    },
  })
  return { tables, createAdapter: (): Adapter => through(adapter) }
}

const failedOf = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts.filter(({ verdict }) => verdict === 'failed').map(({ rule, because = '' }) => `${rule}\n${because}`)

/** The titles of the suite that a runner gets. */
function titles(): readonly string[] {
  const names: string[] = []
  conformance({ test: (name) => names.push(name), createAdapter: () => memory() })
  return names
}

test('it tests the rules of the suite by their size, and random queries by their seed', () => {
  const all = titles()
  const rulesOf = (size: 'quick' | 'small' | 'large' | 'huge') => checkupTitles({ ...given, size, layouts: 0 })
  expect(rulesOf('huge')).toEqual(all)
  expect(rulesOf('large')).toEqual(all.filter((title) => sizeOf(title) !== 'huge'))
  const small: string[] = []
  for (const title of all) withoutLarge((name) => small.push(name), true)(title, () => Promise.resolve())
  expect(rulesOf('small')).toEqual(small)
  const idsOf = (rules: readonly string[]) => new Set(rules.flatMap((title) => title.slice(0, title.indexOf(':')).split(' ')))
  expect(idsOf(rulesOf('quick'))).toEqual(idsOf(small))
  expect(rulesOf('quick').length).toBeLessThan(small.length / 2)
  expect(checkupTitles({ ...given, only: 'seed 8' })).toEqual(['oracle: random queries return the rows that they must, in order, seed 8'])
})

test('a store that holds passes, with latencies, and its tables are gone', async () => {
  const { tables, createAdapter } = store()
  tables.add('mine')
  const names = new Set<string>()
  const seen: string[] = []
  const { verdicts, notRun, latencies, left } = await checkup({
    ...given,
    size: 'quick',
    createAdapter: () => {
      const adapter = createAdapter()
      return delegate(adapter, {
        ensureTable: (schema, options) => {
          names.add(schema.name)
          return adapter.ensureTable(schema, options)
        },
      })
    },
    onRule: (title, ended, all) => seen.push(`${title} ${ended}/${all}`),
  })
  expect(failedOf(verdicts).filter((text) => !text.startsWith('ADAPTER-13'))).toEqual([])
  expect({ notRun, left, tables: [...tables] }).toEqual({ notRun: [], left: [], tables: ['mine'] })
  expect(seen).toHaveLength(verdicts.length)
  expect(seen[3]).toMatch(new RegExp(` 3/${verdicts.length}$`))
  expect(latencies.find(({ call }) => call === 'scan')).toMatchObject({ count: expect.any(Number) as number })
  for (const { median, p99 } of latencies) expect(p99).toBeGreaterThanOrEqual(median)
  expect([...names].filter((name) => !name.startsWith('scratch_'))).toEqual([])
  expect(Math.max(...[...names].map((name) => name.length - given.prefix.length))).toBeLessThanOrEqual(checkupNameLength)
})

test('an update that is lost fails the rule that sees it, with what was expected and seen', async () => {
  const random = new Random(3)
  const { tables, createAdapter } = store((adapter) =>
    delegate(adapter, {
      write: (batch, options) => {
        const isLost = batch.length === 1 && batch[0]?.kind === 'update' && random.chance(0.3)
        return isLost ? [{ kind: 'applied' }] : adapter.write(batch, options)
      },
    }),
  )
  const { verdicts, left } = await checkup({ ...given, createAdapter, only: 'WRITE-3' })
  expect(failedOf(verdicts).join('\n')).toMatch(
    /^WRITE-3: update changes the given columns[^]*\n +expected .*\n +got [^]*\nWRITE-3: 2 × 1,000 interleaved/m,
  )
  expect({ left, tables: [...tables] }).toEqual({ left: [], tables: [] })
})

test('random queries find a row that a scan leaves out, and say how', async () => {
  const { tables, createAdapter } = store((adapter) =>
    delegate(adapter, {
      table: (schema, catalog) => {
        const inner = adapter.table(schema, catalog)
        return {
          get: (keys, options) => inner.get(keys, options),
          fullScan: (checkpoint, options) => inner.fullScan(checkpoint, options),
          scan: (slice, options) => {
            const source = inner.scan(slice, options)
            return {
              next: async (want) => {
                const page = await source.next(want)
                return page === undefined || page.rows.length < 3 ? page : { ...page, rows: page.rows.toSpliced(1, 1) }
              },
              close: () => source.close(),
            }
          },
        }
      },
    }),
  )
  const { verdicts } = await checkup({ ...given, createAdapter, only: 'oracle' })
  expect(failedOf(verdicts)[0]).toMatch(/^oracle: random queries .*, seed \d+\nseed \d+\nkey [^]*rows of toArray\(\)\n {2}expected/)
  expect([...tables]).toEqual([])
})

test('a store that hangs ends as a failed rule with its name, and nothing more is tested', async () => {
  let isHanging = false
  const hanging = () => new Promise<never>(() => undefined)
  const { createAdapter } = store((adapter) =>
    delegate(adapter, {
      write: (batch, options) => {
        isHanging = true
        return isHanging ? hanging() : adapter.write(batch, options)
      },
      describeTable: (name) => (isHanging ? hanging() : adapter.describeTable(name)),
      dropTable: (name, options) => (isHanging ? hanging() : adapter.dropTable(name, options)),
    }),
  )
  const { verdicts, notRun, stopped, left } = await checkup({ ...given, limit: 100, probe: 100, createAdapter, only: 'GET-' })
  expect(verdicts.map(({ rule, verdict, because }) => [rule.slice(0, 11), verdict, because])).toEqual([
    ['GET-1 GET-2', 'failed', 'it has not ended within 0.1 s'],
  ])
  expect(notRun.length).toBeGreaterThan(3)
  expect(stopped).toBe('it has not ended within 0.1 s')
  expect(left).toEqual([expect.stringMatching(/^scratch_\d+_/)])
})

test('a rule that was given up creates nothing afterwards', async () => {
  const { tables, createAdapter } = store((adapter) =>
    delegate(adapter, {
      ensureTable: async (schema, options) => {
        await new Promise((resolve) => setTimeout(resolve, 120))
        return adapter.ensureTable(schema, options)
      },
    }),
  )
  const { verdicts, left } = await checkup({ ...given, limit: 100, createAdapter, only: 'WRITE-5' })
  expect(verdicts.every(({ verdict }) => verdict === 'failed')).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect({ left, tables: [...tables] }).toEqual({ left: [], tables: [] })
})

test('a signal ends it: what is under way is not judged, and everything is dropped', async () => {
  const { tables, createAdapter } = store()
  const stop = new AbortController()
  const { verdicts, notRun, left } = await checkup({
    ...given,
    createAdapter,
    signal: stop.signal,
    onRule: (_, ended) => {
      if (ended === 5) setTimeout(() => stop.abort(), 2)
    },
  })
  expect(verdicts.length).toBeLessThan(50)
  expect(failedOf(verdicts)).toEqual([])
  expect(verdicts.length + notRun.length).toBe(checkupTitles(given).length)
  expect({ left, tables: [...tables] }).toEqual({ left: [], tables: [] })
})

test('a table that cannot be dropped is named', async () => {
  const { createAdapter } = store((adapter) =>
    delegate(adapter, {
      dropTable: (name, options) => (name.endsWith('_things') ? Promise.reject(new Error('no right')) : adapter.dropTable(name, options)),
    }),
  )
  const { verdicts, left } = await checkup({ ...given, createAdapter, only: 'GET-3' })
  expect(failedOf(verdicts)).toEqual([expect.stringMatching(/^GET-3[^\n]*\nError: no right$/)])
  expect(left).toEqual([expect.stringMatching(/^scratch_\d+_plain_things$/)])
})
