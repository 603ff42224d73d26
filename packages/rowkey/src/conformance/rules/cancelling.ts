// Tested by wrong.test.ts.
import { createMapper, isRowkeyError, type Mapper } from '#mapper'
import { check, same, thrown } from '../check.js'
import { within } from '../suite/patience.js'
import { rule, type Rule } from '../suite/rule.js'
import { Numbers, Sessions } from '../suite/tables.js'
import type { World } from '../suite/world.js'

/** How long a call may run before it is ended. */
const limitMs = 150

interface Limits {
  readonly signal?: AbortSignal
  readonly deadline?: number
}

type Call = (db: Mapper, limits: Limits) => Promise<unknown>

/** Every method that calls the store. */
const calls: Readonly<Record<string, Call>> = {
  get: (db, limits) => db.repository(Numbers).get({ n: 1 }, limits),
  getOrThrow: (db, limits) => db.repository(Numbers).getOrThrow({ n: 1 }, limits),
  exists: (db, limits) => db.repository(Numbers).exists({ n: 1 }, limits),
  getMany: (db, limits) => db.repository(Numbers).getMany([{ n: 1 }, { n: 2 }], limits),
  put: (db, limits) => db.repository(Numbers).put({ n: 3 }, limits),
  delete: (db, limits) => db.repository(Numbers).delete({ n: 4 }, limits),
  putMany: (db, limits) => db.repository(Numbers).putMany([{ n: 5 }, { n: 6 }], limits),
  deleteMany: (db, limits) => db.repository(Numbers).deleteMany([{ n: 7 }, { n: 8 }], limits),
  'putMany of a stream': (db, limits) => db.repository(Numbers).putMany([{ n: 9 }].values(), limits),
  'scan.page': (db, limits) => scan(db, limits).page(),
  'scan.page of keys': (db, limits) =>
    db
      .repository(Numbers)
      .scan({ n: { in: [1, 2] } }, limits)
      .page(),
  'scan.toArray': (db, limits) => scan(db, limits).toArray(),
  'scan.count': (db, limits) => scan(db, limits).count(),
  'scan.deleteAll': (db, limits) => scan(db, limits).deleteAll(),
  'scan.iterate': (db, limits) => scan(db, limits)[Symbol.asyncIterator]().next(),
  'readAll.count': (db, limits) => db.repository(Numbers).readAll(limits).count(),
  'readAll.pages': (db, limits) => db.repository(Numbers).readAll(limits).pages().next(),
  write: (db, limits) => db.write([db.repository(Numbers).ops.put({ n: 10 }), db.repository(Numbers).ops.delete({ n: 11 })], limits),
  'write, atomic': (db, limits) => db.write([db.repository(Numbers).ops.put({ n: 12 })], { atomic: true, ...limits }),
  ensureTables: (db, limits) => db.ensureTables([Numbers], limits),
}

/** The methods of tables with conditions, expiry and versions. */
const versionedCalls: Readonly<Record<string, Call>> = {
  insert: (db, limits) => db.repository(Sessions).insert({ k: 1 }, limits),
  update: (db, limits) => db.repository(Sessions).update({ k: 2 }, { a: 'x' }, limits),
  'put of a version': (db, limits) => db.repository(Sessions).put({ k: 3 }, limits),
  modify: (db, limits) => db.repository(Sessions).modify({ k: 4 }, () => ({ a: 'x' }), limits),
  purgeExpired: (db, limits) => db.purgeExpired(Sessions, limits),
}

const scan = (db: Mapper, limits: Limits): ReturnType<ReturnType<typeof db.repository<typeof Numbers>>['scan']> =>
  db.repository(Numbers).scan({ n: { gte: 0 } }, limits)

export const cancelling: readonly Rule[] = [
  rule(
    'CANCEL-1 CANCEL-2 CANCEL-3: if the store does not answer, every call ends at its deadline, also the first call of a table',
    (world) => overSilence(world, calls, 'deadline'),
  ),
  rule('CANCEL-2 CANCEL-3: if the store does not answer, every call ends at an abort, with its reason', (world) =>
    overSilence(world, calls, 'abort'),
  ),
  rule(
    'CANCEL-2 CANCEL-3: if the store does not answer, writes with conditions end at their deadline',
    (world) => overSilence(world, versionedCalls, 'deadline'),
    'versions',
  ),
  rule(
    'CANCEL-2 CANCEL-3: if the store does not answer, writes with conditions end at an abort',
    (world) => overSilence(world, versionedCalls, 'abort'),
    'versions',
  ),

  rule('CANCEL-3 PAGE-4: after a page that ended at its deadline, the pages from its cursor have all the other rows', async (world) => {
    const table = await world.repository(Numbers)
    const numbers = Array.from({ length: 20 }, (_, n) => n)
    await table.putMany(numbers.map((n) => ({ n })))
    for (const where of [{ n: { gte: 0 } }, { n: { in: numbers } }]) {
      const first = await table.scan(where).page({ size: 5 })
      const speak = await world.silence()
      const second = await within(
        world.patience,
        'a page over a silent store',
        table.scan(where, { deadline: world.clock.now + limitMs }).page({ size: 10, cursor: first.cursor as string }),
      ).finally(speak)
      const rest = (await table.scan(where).page({ cursor: second.cursor as string })).rows
      const read = [...first.rows, ...second.rows, ...rest].map(({ n }) => n)
      same(read, numbers, 'rows of all pages')
    }
  }),

  rule('CANCEL-4: many calls with one signal add one listener to it, and none remains in the end', async (world) => {
    const table = await world.repository(Numbers)
    const { signal, max, left } = counted(new AbortController().signal)
    const deadline = world.clock.now + 3_600_000
    const numbers = Array.from({ length: 100 }, (_, n) => n)
    await Promise.all(numbers.map((n) => table.put({ n }, { signal, deadline })))
    await Promise.all(numbers.map((n) => table.get({ n }, { signal })))
    await Promise.all([table.scan({ n: { gte: 0 } }, { signal }).toArray(), table.getMany([{ n: 1 }, { n: 2 }], { signal, deadline })])
    await table.putMany(
      numbers.map((n) => ({ n })),
      { signal, deadline },
    )
    check(max() <= 1, `there were ${max()} listeners on one signal`)
    same(left(), 0, 'listeners that are left')
  }),
]

/** All calls together, each both as the first on its tables and on open tables. */
async function overSilence(world: World, some: Readonly<Record<string, Call>>, how: 'deadline' | 'abort'): Promise<void> {
  const { patience } = world
  await world.repository(Numbers)
  if (some === versionedCalls) await world.repository(Sessions)
  const make = (): Mapper => createMapper(world.adapter, { prefix: world.prefix })
  const warm = make()
  await warm.repository(Numbers).get({ n: 1 })
  if (some === versionedCalls) await warm.repository(Sessions).get({ k: 1 })
  const speak = await world.silence()
  try {
    const reason = new Error('stopped')
    await Promise.all(
      Object.entries(some).flatMap(([name, call]) =>
        [make(), warm].map(async (db, i) => {
          const what = `${name} (${i === 0 ? 'first call' : 'open table'}) over a silent store`
          const controller = new AbortController()
          const limits = how === 'deadline' ? { deadline: Date.now() + limitMs } : { signal: controller.signal }
          if (how === 'abort') {
            setTimeout(() => {
              controller.abort(reason)
            }, limitMs)
          }
          const ended = call(db, limits).then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          )
          judge(what, how, reason, await within(patience, what, ended))
        }),
      ),
    )
  } finally {
    await speak()
  }
}

function judge(what: string, how: 'deadline' | 'abort', reason: Error, end: { readonly value?: unknown; readonly error?: unknown }): void {
  if ('value' in end) {
    const page = end.value as { readonly stop?: string; readonly cursor?: string } | undefined
    check(how === 'deadline' && page?.stop === 'time' && typeof page.cursor === 'string', `${what} was answered`)
    return
  }
  if (isRowkeyError(end.error, 'NOT_SUPPORTED')) return // which is known without a call of the store
  if (how === 'abort') check(end.error === reason, `${what} ended with ${thrown(end.error)}, not with the reason of its signal`)
  else check(isRowkeyError(end.error, 'DEADLINE'), `${what} ended with ${thrown(end.error)}, not with DEADLINE`)
}

/** A signal that counts its listeners for an abort. */
function counted(signal: AbortSignal): { readonly signal: AbortSignal; max(): number; left(): number } {
  const listeners = new Set<unknown>()
  let max = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (type: string, listener: never, options: never): void => {
    listeners.add(listener)
    max = Math.max(max, listeners.size)
    add(type, listener, options)
  }
  signal.removeEventListener = (type: string, listener: never, options: never): void => {
    listeners.delete(listener)
    remove(type, listener, options)
  }
  return { signal, max: () => max, left: () => listeners.size }
}
