import type { Adapter, Mutation, Outcome } from 'rowkey/adapter'
import { lmdb } from '@rowkey/lmdb'
import { memory } from 'rowkey'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../kit/folder.js'
import { seed, seeded } from '../kit/seeded.js'
import { wrapped } from '../kit/wrapped.js'
import { randomHistory, Tables, type Focus, type HistoryOptions } from './clients.js'
import { faultOf } from './judge.js'
import { linearise, type LastWrite } from './linearise.js'
import type { Change, Operation, Result } from './register.js'

/** A history written down by hand: who, from, to, what, and how it ended. */
const op = (id: number, begin: number, end: number, call: Operation['call'] | Change, result: Result): Operation => ({
  id,
  client: id,
  begin,
  end: result.kind === 'unknown' ? Infinity : end,
  returned: end,
  call: 'kind' in call && call.kind !== 'get' && call.kind !== 'write' ? { kind: 'write', changes: [call] } : call,
  result,
})
const put: Change = { row: 0, kind: 'put' }
const insert: Change = { row: 0, kind: 'insert' }
const remove: Change = { row: 0, kind: 'delete' }
const get = { kind: 'get', row: 0 } as const
const done = (version?: string): Result => ({ kind: 'done', versions: [version] })
const saw = (a: number | undefined, version?: string): Result => ({
  kind: 'done',
  ...(a === undefined ? {} : { seen: { a, b: null, n: 0n, version } }),
})
const sum = (n: bigint, a: number | null = null): Result => ({ kind: 'done', seen: { a, b: null, n } })
const increment = (amount: bigint, creates?: true): Change => ({ row: 0, kind: 'increment', amount, ...(creates && { creates }) })
const upsert: Change = { row: 0, kind: 'upsert', column: 'b' }
const either: Result = { kind: 'either' }
const unknown: Result = { kind: 'unknown' }
const refused: Result = { kind: 'refused' }

describe('the search tells what can be from what cannot', () => {
  test.each<[string, 'explained' | 'impossible', Operation[]]>([
    ['a write, then a read of it', 'explained', [op(1, 0, 1, put, done()), op(2, 2, 3, get, saw(1))]],
    ['a write that is not read', 'impossible', [op(1, 0, 1, put, done()), op(2, 2, 3, get, saw(undefined))]],
    ['a read beside the write', 'explained', [op(1, 0, 3, put, done()), op(2, 1, 2, get, saw(undefined)), op(3, 1, 2, get, saw(1))]],
    [
      'a newer value, then an older one',
      'impossible',
      [op(1, 0, 1, put, done()), op(2, 2, 9, put, done()), op(3, 3, 4, get, saw(2)), op(4, 5, 6, get, saw(1))],
    ],
    [
      'a write sent twice undoes another',
      'impossible',
      [op(1, 0, 9, put, done()), op(2, 1, 2, get, saw(1)), op(3, 3, 4, put, done()), op(4, 10, 11, get, saw(1))],
    ],
    [
      'the same, though nobody was told what became of the first',
      'impossible',
      [op(1, 0, 9, put, unknown), op(2, 1, 2, get, saw(1)), op(3, 3, 4, put, done()), op(4, 10, 11, get, saw(1))],
    ],
    ['an unknown write, seen late', 'explained', [op(1, 0, 1, put, unknown), op(2, 2, 3, get, saw(undefined)), op(3, 4, 5, get, saw(1))]],
    [
      'an unknown write, seen and gone',
      'impossible',
      [op(1, 0, 1, put, unknown), op(2, 2, 3, get, saw(1)), op(3, 4, 5, get, saw(undefined))],
    ],
    ['two inserts', 'impossible', [op(1, 0, 1, insert, done()), op(2, 2, 3, insert, done())]],
    ['an insert refused by itself', 'impossible', [op(1, 0, 1, insert, refused)]],
    ['an insert refused by an unknown one', 'explained', [op(1, 0, 1, insert, unknown), op(2, 2, 3, insert, refused)]],
    ['a delete undone', 'impossible', [op(1, 0, 1, put, done()), op(2, 2, 3, remove, done()), op(3, 4, 5, get, saw(1))]],
    [
      'a condition on a version that is not there any more',
      'impossible',
      [op(1, 0, 1, put, done('v1')), op(2, 2, 3, put, done('v2')), op(3, 4, 5, { ...put, onVersion: 'v1' }, done('v3'))],
    ],
    [
      'a condition on the version that is there, refused',
      'impossible',
      [op(1, 0, 1, put, done('v1')), op(2, 2, 3, { ...put, onVersion: 'v1' }, refused)],
    ],
    [
      'a condition on a version that is gone, refused, though nobody was told who gave it',
      'explained',
      [
        ...[op(1, 0, 1, put, unknown), op(2, 2, 3, get, saw(1, 'v1')), op(3, 4, 5, put, unknown), op(4, 6, 7, get, saw(3, 'v3'))],
        op(5, 8, 9, { ...put, onVersion: 'v1' }, refused),
      ],
    ],
    [
      'the same condition, met',
      'impossible',
      [
        ...[op(1, 0, 1, put, unknown), op(2, 2, 3, get, saw(1, 'v1')), op(3, 4, 5, put, unknown), op(4, 6, 7, get, saw(3, 'v3'))],
        op(5, 8, 9, { ...put, onVersion: 'v1' }, done('v5')),
      ],
    ],
    [
      'an unknown write, seen with two versions',
      'impossible',
      [op(1, 0, 1, put, unknown), op(2, 2, 3, get, saw(1, 'v1')), op(3, 4, 5, get, saw(1, 'v2'))],
    ],
    [
      'a condition that is refused, on a version that an unseen write may have replaced',
      'explained',
      [
        op(1, 0, 1, put, unknown),
        op(2, 2, 3, get, saw(1, 'v1')),
        op(3, 4, 5, put, unknown),
        op(4, 8, 9, { ...put, onVersion: 'v1' }, refused),
      ],
    ],
    [
      'half of a batch',
      'impossible',
      [
        op(1, 0, 1, { kind: 'write', changes: [put, { row: 1, kind: 'put' }] }, { kind: 'done', versions: [] }),
        op(2, 2, 3, get, saw(1)),
        op(3, 2, 3, { kind: 'get', row: 1 }, saw(undefined)),
      ],
    ],
    [
      'two increments',
      'explained',
      [op(1, 0, 1, put, done()), op(2, 2, 5, increment(1n), done()), op(3, 2, 5, increment(4n), done()), op(4, 6, 7, get, sum(5n, 1))],
    ],
    ['an increment twice', 'impossible', [op(1, 0, 1, put, done()), op(2, 2, 3, increment(1n), done()), op(3, 4, 5, get, sum(2n, 1))]],
    [
      'an unknown increment twice',
      'impossible',
      [op(1, 0, 1, put, done()), op(2, 2, 3, increment(1n), unknown), op(3, 4, 5, get, sum(2n, 1))],
    ],
    ['an increment lost', 'impossible', [op(1, 0, 1, put, done()), op(2, 2, 3, increment(1n), done()), op(3, 4, 5, get, sum(0n, 1))]],
    ['an increment of no row', 'impossible', [op(1, 0, 1, increment(1n), done())]],
    [
      'an increment that creates, then one that changes',
      'explained',
      [op(1, 0, 1, increment(1n, true), done()), op(2, 2, 3, increment(4n, true), done()), op(3, 4, 5, get, sum(5n))],
    ],
    [
      'an increment that creates over a row',
      'impossible',
      [op(1, 0, 1, put, done()), op(2, 2, 3, increment(1n, true), done()), op(3, 4, 5, get, sum(1n))],
    ],
    [
      'a creating increment that was told another version',
      'impossible',
      [op(1, 0, 1, increment(1n, true), done('v1')), op(2, 2, 3, get, { kind: 'done', seen: { a: null, b: null, n: 1n, version: 'v2' } })],
    ],
    [
      'an upsert of one column',
      'explained',
      [op(1, 0, 1, put, done()), op(2, 2, 3, upsert, done()), op(3, 4, 5, get, { kind: 'done', seen: { a: 1, b: 2, n: 0n } })],
    ],
    [
      'an upsert that takes another column away',
      'impossible',
      [op(1, 0, 1, put, done()), op(2, 2, 3, upsert, done()), op(3, 4, 5, get, { kind: 'done', seen: { a: null, b: 2, n: 0n } })],
    ],
    [
      'a condition that holds',
      'explained',
      [op(1, 0, 1, put, done()), op(2, 2, 3, { ...put, condition: { column: 'a', equals: 1 } }, done())],
    ],
    [
      'a condition that does not, and is applied',
      'impossible',
      [op(1, 0, 1, put, done()), op(2, 2, 3, { ...put, condition: { column: 'a', equals: 9 } }, done())],
    ],
    [
      'a condition that holds, and is refused',
      'impossible',
      [op(1, 0, 1, put, done()), op(2, 2, 3, { ...put, condition: { column: 'n', below: 1n } }, refused)],
    ],
    [
      'a delete that may have met its row',
      'explained',
      [
        op(1, 0, 1, put, done()),
        op(2, 2, 3, { ...remove, condition: { column: 'a', equals: 1 } }, either),
        op(3, 4, 5, get, saw(undefined)),
      ],
    ],
    [
      'one that left a row that met it',
      'impossible',
      [op(1, 0, 1, put, done()), op(2, 2, 3, { ...remove, condition: { column: 'a', equals: 1 } }, either), op(3, 4, 5, get, saw(1))],
    ],
    [
      'one that took a row that did not meet it',
      'impossible',
      [
        op(1, 0, 1, put, done()),
        op(2, 2, 3, { ...remove, condition: { column: 'a', equals: 7 } }, either),
        op(3, 4, 5, get, saw(undefined)),
      ],
    ],
  ])('%s', (_, verdict, history) => expect(linearise(history)).toBe(verdict))
})

const both: Operation['call'] = { kind: 'write', changes: [put, { row: 1, kind: 'put' }] }
const putOther: Change = { row: 1, kind: 'put' }
const getOther = { kind: 'get', row: 1 } as const
/** A put of row 1 that a batch of both rows, under way all the time, comes too late for. */
const overtaken = [
  op(1, 0, 20, both, done()),
  op(2, 1, 2, putOther, done()),
  op(3, 3, 4, getOther, saw(2)),
  op(4, 5, 6, get, saw(undefined)),
]

describe('where the later timestamp wins, row by row', () => {
  test.each<[string, 'explained' | 'impossible', Operation[]]>([
    [
      'a batch comes too late for one of its rows',
      'explained',
      [...overtaken, op(5, 21, 22, get, saw(1)), op(6, 21, 22, getOther, saw(2))],
    ],
    [
      'a batch comes too late for both of its rows, which others wrote at different times',
      'explained',
      [
        ...[op(1, 0, 20, both, done()), op(2, 1, 2, put, done()), op(3, 3, 4, get, saw(2)), op(4, 3, 4, getOther, saw(undefined))],
        ...[op(5, 5, 6, putOther, done()), op(6, 21, 22, get, saw(2)), op(7, 21, 22, getOther, saw(5))],
      ],
    ],
    ['the same batch takes effect in both rows', 'explained', [...overtaken, op(5, 21, 22, get, saw(1)), op(6, 21, 22, getOther, saw(1))]],
    [
      'it takes effect in one row, and later in the other',
      'impossible',
      [...overtaken, op(5, 7, 8, get, saw(1)), op(6, 9, 10, getOther, saw(2)), op(7, 11, 12, getOther, saw(1))],
    ],
    ['it never takes effect in the row that nobody else wrote', 'impossible', [...overtaken, op(5, 21, 22, get, saw(undefined))]],
    [
      'half of a batch, with no other write',
      'impossible',
      [op(1, 0, 9, both, done()), op(2, 1, 2, get, saw(1)), op(3, 3, 4, getOther, saw(undefined))],
    ],
    [
      'a write stays that had ended before the batch began',
      'impossible',
      [op(1, 0, 1, putOther, done()), op(2, 2, 3, both, done()), op(3, 4, 5, getOther, saw(1))],
    ],
    ['what was overwritten comes back', 'impossible', [...overtaken, op(5, 7, 8, getOther, saw(1)), op(6, 9, 10, getOther, saw(2))]],
    [
      'of two batches at the same time each wins one row',
      'impossible',
      [op(1, 0, 10, both, done()), op(2, 0, 10, both, done()), op(3, 11, 12, get, saw(2)), op(4, 13, 14, getOther, saw(1))],
    ],
    [
      'one that was read before the batch began stays, though its call never ended',
      'impossible',
      [
        ...[op(1, 0, 9, putOther, unknown), op(2, 3, 4, getOther, saw(1)), op(3, 10, 11, both, done())],
        ...[op(4, 12, 13, getOther, saw(1)), op(5, 12, 13, get, saw(3))],
      ],
    ],
    [
      'three batches, each later than another one by some row',
      'impossible',
      [
        ...[op(1, 0, 20, both, done()), op(2, 0, 20, both, done()), op(3, 0, 20, both, done())],
        ...[op(4, 1, 2, get, saw(3)), op(5, 3, 4, get, saw(2)), op(6, 5, 6, get, saw(1))],
        ...[op(7, 7, 8, getOther, saw(1)), op(8, 9, 10, getOther, saw(3))],
      ],
    ],
    ['a put of one row is lost', 'impossible', [op(1, 0, 1, put, done()), op(2, 2, 3, get, saw(undefined))]],
    [
      'half of a batch whose outcome is unknown, with no other write',
      'impossible',
      [op(1, 0, 9, both, unknown), op(2, 1, 2, get, saw(1)), op(3, 3, 4, getOther, saw(undefined))],
    ],
  ])('%s', (_, verdict, history) => expect(linearise(history, 'timestamps')).toBe(verdict))

  test('otherwise a batch takes effect in all of its rows', () => {
    expect(linearise([...overtaken, op(5, 21, 22, get, saw(1)), op(6, 21, 22, getOther, saw(2))])).toBe('impossible')
  })
})

const milliseconds = Number(process.env['ROWKEY_HISTORY_MS'] ?? 500)
const common = { milliseconds, seed, hasBatches: true } satisfies Partial<HistoryOptions>

/** Answers come after a while, so that calls of several clients overlap. */
const slow = (adapter: Adapter): Adapter => {
  const random = seeded(seed)
  const later = async <T>(run: () => T | Promise<T>): Promise<T> => {
    for (let turns = random.below(4); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
    const answer = await run()
    for (let turns = random.below(4); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
    return answer
  }
  const inner = wrapped(adapter, {})
  return {
    ...inner,
    table: (schema, catalog) => {
      const table = inner.table(schema, catalog)
      return {
        ...table,
        get: (keys, options) => later(() => table.get(keys, options)),
        scan(slice, options) {
          const source = table.scan(slice, options)
          return { next: (want) => later(() => source.next(want)), close: () => source.close() }
        },
      }
    },
    write: (batch, options) => later(() => adapter.write(batch, options)),
  }
}

describe.each(Object.keys(Tables) as (keyof typeof Tables)[])('WRITE-8 WRITE-11: %s rows', (kind) => {
  test('WRITE-8: random histories in memory can be explained', async () => {
    const store = memory()
    const history = await randomHistory({ ...common, adapters: Array.from({ length: 5 }, () => slow(store)), kind })
    expect(faultOf(history)).toBeUndefined()
    expect(history.ends['done']).toBeGreaterThan(10) // else nothing was tested
  })

  test('WRITE-8: random histories in LMDB can be explained', async () => {
    const folder = scratchFolder()
    const store = lmdb(folder.path(kind), { sync: false })
    const history = await randomHistory({ ...common, adapters: Array.from({ length: 4 }, () => slow(store)), kind })
    await store.close()
    folder.remove()
    expect(faultOf(history)).toBeUndefined()
  })

  const lastWrites: readonly LastWrite[] = kind === 'plain' ? ['instants', 'timestamps'] : ['instants']
  test.each(lastWrites)(
    'WRITE-8: by %s an adapter that says one write in 300 is applied, which it is not, is found out',
    async (lastWrite) => {
      let found: string | undefined
      // A write may be covered by the next before anybody reads it, so one run may miss it.
      for (let round = 0; round < 20 && found === undefined; round++) {
        const store = memory()
        let writes = 0
        const lying = (): Adapter => ({
          ...slow(store),
          write: async (batch: readonly Mutation[], options) =>
            ++writes % 300 === 0 ? batch.map(() => ({ kind: 'applied' as const })) : slow(store).write(batch, options),
        })
        found = faultOf(await randomHistory({ ...common, seed: seed + round, adapters: Array.from({ length: 5 }, lying), kind }), lastWrite)
      }
      expect(found).toContain('impossible')
    },
  )
})

/** Changes that the store computes, and what it may get wrong about a mutation: it does something else than it says. */
const changes: readonly Exclude<Focus, 'rows' | 'changes'>[] = ['increments', 'creating increments', 'upserts', 'conditions', 'removals']

type Update = Extract<Mutation, { kind: 'update' }>
const isUpdate = (mutation: Mutation): mutation is Update => mutation.kind === 'update'
const without = ({ conditions: _, version: __, ...mutation }: Mutation): Mutation => mutation

/** It only makes a difference for a row that has changed since it was read, so it lies about the next of those. */
const deletesMore = 'deletes a row that does not meet the scan any more'

/** For each kind of change: which mutations are concerned, and what is written in place of them, once or several times. */
const lies: readonly (readonly [Focus, string, (mutation: Mutation) => readonly Mutation[] | undefined])[] = [
  ['increments', 'applies an increment twice', (m) => (isUpdate(m) && m.additions !== undefined ? [m, { ...m }] : undefined)],
  ['increments', 'forgets an increment', (m) => (isUpdate(m) && m.additions !== undefined ? [] : undefined)],
  [
    'creating increments',
    'replaces the row that an increment would have changed',
    (m) => (isUpdate(m) && m.create !== undefined ? [{ kind: 'put', schema: m.schema, row: m.create }] : undefined),
  ],
  [
    'creating increments',
    'creates a row in place of an increment that should find one',
    (m) => (isUpdate(m) && m.create !== undefined ? [{ kind: 'delete', schema: m.schema, row: m.row.slice(0, 2) }, m] : undefined),
  ],
  ['creating increments', 'applies a creating increment twice', (m) => (isUpdate(m) && m.create !== undefined ? [m, { ...m }] : undefined)],
  [
    'upserts',
    'puts the row of an upsert',
    (m) => (isUpdate(m) && m.create !== undefined ? [{ kind: 'put', schema: m.schema, row: m.create }] : undefined),
  ],
  ['upserts', 'forgets an upsert', (m) => (isUpdate(m) && m.create !== undefined ? [] : undefined)],
  ['conditions', 'does not look at a condition', (m) => (m.conditions !== undefined ? [without(m)] : undefined)],
  ['conditions', 'forgets a change on a condition', (m) => (m.conditions !== undefined ? [] : undefined)],
  ['removals', deletesMore, (m) => (isGuarded(m) ? [without(m)] : undefined)],
  ['removals', 'leaves a row that it says it has deleted', (m) => (isGuarded(m) ? [] : undefined)],
]

const isGuarded = ({ kind, conditions, version }: Mutation): boolean => kind === 'delete' && (conditions ?? version) !== undefined

/** An adapter that lies about every 300th mutation that a lie is about. */
function liar(
  store: Adapter,
  lie: (mutation: Mutation) => readonly Mutation[] | undefined,
  onConflict: boolean,
  count: { lies: number },
): Adapter {
  return {
    ...slow(store),
    async write(batch: readonly Mutation[], options) {
      const written = await Promise.all(
        batch.map(async (mutation): Promise<Outcome | undefined> => {
          const instead = lie(mutation)
          if (instead === undefined) return undefined
          if (onConflict) {
            const [outcome] = await slow(store).write([mutation], options)
            count.lies++
            if (outcome?.kind !== 'conflict' || count.lies < 300) return outcome
            count.lies = 0
          } else if (++count.lies % 300 !== 0) return undefined
          for (const each of instead) await store.write([each], { now: options.now })
          return { kind: 'applied' as const }
        }),
      )
      const honest = batch.filter((_, i) => written[i] === undefined)
      const outcomes = honest.length === 0 ? [] : await slow(store).write(honest, options)
      let next = 0
      return written.map((outcome) => outcome ?? (outcomes[next++] as Outcome))
    },
  }
}

describe.each(['versioned', 'unversioned'] as const)('WRITE-19 WRITE-20 WRITE-21: changes of %s rows', (kind) => {
  test.each(changes)('WRITE-8: random histories of %s in memory and in LMDB can be explained', async (focus) => {
    const store = memory()
    const inMemory = await randomHistory({ ...common, adapters: Array.from({ length: 5 }, () => slow(store)), kind, focus })
    expect(faultOf(inMemory)).toBeUndefined()
    expect(inMemory.ends[focus === 'removals' ? 'removed' : 'done']).toBeGreaterThan(10) // else nothing was tested
    const folder = scratchFolder()
    const file = lmdb(folder.path(`${kind}_${focus}`), { sync: false })
    const inFile = await randomHistory({ ...common, adapters: Array.from({ length: 4 }, () => slow(file)), kind, focus })
    await file.close()
    folder.remove()
    expect(faultOf(inFile)).toBeUndefined()
  })

  test.each(lies)('WRITE-8: in a history of %s, an adapter that %s, once in 300, is found out', async (focus, what, lie) => {
    let found: string | undefined
    const count = { lies: 0 }
    // What a lie does may be covered by the next write before anybody reads it, so one run may miss it.
    for (let round = 0; round < 150 && found === undefined; round++) {
      const store = memory()
      const adapters = Array.from({ length: 5 }, () => liar(store, lie, what === deletesMore, count))
      found = faultOf(await randomHistory({ ...common, hasBatches: false, seed: seed + round, adapters, kind, focus }))
    }
    expect(found).toContain('impossible')
  })
})
