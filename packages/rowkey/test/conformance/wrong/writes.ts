import { type Adapter, isPromise, judge, type Mutation, type Outcome, type Row, type TableStore, type Value } from '#store/adapter'
import { after, wrong, type Wrong, wrongReads } from './wrong.js'

type Batch = readonly Mutation[]

const strong = { consistency: 'strong' } as const

/** The row that is there now. */
async function current(base: Adapter, { schema, row }: Mutation): Promise<Row | undefined> {
  const catalog = await base.describeTable(schema.name)
  if (catalog === undefined) return undefined
  const [found] = await base.table(schema, catalog).get([row.slice(0, schema.keyLength)], strong)
  return found
}

/** The batch with each mutation changed on its way. */
const changed = (mistake: string, caughtBy: string, change: (mutation: Mutation) => Mutation): Wrong =>
  wrong(mistake, caughtBy, (base) => ({ write: (batch, options) => base.write(batch.map(change), options) }))

/** The outcomes changed on their way back. */
const reported = (mistake: string, caughtBy: string, change: (outcomes: readonly Outcome[], batch: Batch) => readonly Outcome[]): Wrong =>
  wrong(mistake, caughtBy, (base) => ({
    write: (batch, options) => after(base.write(batch, options), (outcomes) => change(outcomes, batch)),
  }))

const values = (change: (value: Value) => Value) => (mutation: Mutation) => ({ ...mutation, row: mutation.row.map(change) })

const renamed = (outcomes: readonly Outcome[], from: Outcome['kind'], to: 'applied' | 'missing'): readonly Outcome[] =>
  outcomes.map((outcome) => (outcome.kind === from ? { kind: to } : outcome))

const full = (mutation: Mutation): boolean => mutation.kind === 'put' || mutation.kind === 'insert'

type Upsert = Extract<Mutation, { kind: 'update' }> & { readonly create: Row }
const isUpsert = (mutation: Mutation): mutation is Upsert =>
  mutation.kind === 'update' && mutation.create !== undefined && mutation.additions === undefined

export const wrongWrites: readonly Wrong[] = [
  wrong('put merges into the row that is there', 'WRITE-2', (base) => ({
    async write(batch, options) {
      const merged: Mutation[] = []
      for (const mutation of batch) {
        const found = mutation.kind === 'put' ? await current(base, mutation) : undefined
        merged.push(found === undefined ? mutation : { ...mutation, row: mutation.row.map((value, i) => value ?? found[i] ?? null) })
      }
      return base.write(merged, options)
    },
  })),
  wrong('an insert is blocked by a row that has expired', 'ADAPTER-8', (base) => ({
    write: (batch, options) => base.write(batch, { ...options, now: 0 }),
  })),
  wrong('conditions are judged by the clock of the machine', 'ADAPTER-8', (base) => ({
    write: (batch, options) => base.write(batch, { ...options, now: Date.now() }),
  })),
  wrong('mutations are sent twice, the second outcome counts', 'WRITE-1', (base) => ({
    write(batch, options) {
      const first = base.write(batch, options)
      return isPromise(first) ? first.then(() => base.write(batch, options)) : base.write(batch, options)
    },
  })),
  wrong('an update reads, waits, and writes the whole row: it loses a column written meanwhile', 'WRITE-3', (base) => ({
    async write(batch, options) {
      const outcomes: Outcome[] = []
      for (const mutation of batch) {
        const found = mutation.kind === 'update' && mutation.schema.expiryIndex < 0 ? await current(base, mutation) : undefined
        await Promise.resolve()
        const row = found?.map((value, i) => (mutation.kind === 'update' && mutation.set.includes(i) ? (mutation.row[i] ?? null) : value))
        const sent: Mutation = row === undefined ? mutation : { kind: 'put', schema: mutation.schema, row }
        outcomes.push(...(await base.write([sent], options)))
      }
      return outcomes
    },
  })),
  wrong('an insert looks, waits, and puts: two at once are both applied', 'WRITE-1', (base) => ({
    async write(batch, options) {
      const outcomes: Outcome[] = []
      for (const mutation of batch) {
        const found = mutation.kind === 'insert' && mutation.schema.expiryIndex < 0 ? await current(base, mutation) : undefined
        await Promise.resolve()
        const sent: Mutation =
          mutation.kind === 'insert' && mutation.schema.expiryIndex < 0 && found === undefined ? { ...mutation, kind: 'put' } : mutation
        outcomes.push(...(await base.write([sent], options)))
      }
      return outcomes
    },
  })),
  changed('an insert is a put', 'WRITE-1', (mutation) => (mutation.kind === 'insert' ? { ...mutation, kind: 'put' } : mutation)),
  changed('an update writes all columns', 'WRITE-3', (mutation) =>
    mutation.kind === 'update' ? { ...mutation, set: mutation.row.map((_, i) => i).slice(mutation.schema.keyLength) } : mutation,
  ),
  changed('an update makes the row where there is none', 'WRITE-3', (mutation) =>
    mutation.kind === 'update' ? { kind: 'put', schema: mutation.schema, row: mutation.row } : mutation,
  ),
  changed('an update clears the expiry', 'ADAPTER-9', (mutation) =>
    mutation.kind === 'update' && mutation.schema.expiryIndex >= 0
      ? { ...mutation, set: [...mutation.set, mutation.schema.expiryIndex] }
      : mutation,
  ),
  changed('conditions on columns are ignored', 'WRITE-20', ({ conditions: _, ...mutation }) => mutation),
  changed('an addition writes its amount', 'WRITE-19', (mutation) => {
    if (mutation.kind !== 'update' || mutation.additions === undefined) return mutation
    const { additions, ...update } = mutation
    const row = mutation.row.map((value, at) => additions.find(({ column }) => column === at)?.by ?? value)
    return { ...update, row, set: [...mutation.set, ...additions.map(({ column }) => column)] }
  }),
  wrong('an addition reads, waits, and writes the sum', 'WRITE-19', (base) => ({
    async write(batch, options) {
      const outcomes: Outcome[] = []
      for (const mutation of batch) {
        const isPlain = mutation.kind === 'update' && mutation.additions !== undefined && mutation.schema.expiryIndex < 0
        const found = isPlain ? await current(base, mutation) : undefined
        await Promise.resolve()
        const verdict = found === undefined ? undefined : judge(mutation, found)
        const sent: Mutation =
          verdict?.kind === 'patch' && mutation.kind === 'update'
            ? { ...mutation, additions: [], row: verdict.row, set: verdict.set }
            : mutation
        outcomes.push(...(await base.write([sent], options)))
      }
      return outcomes
    },
  })),
  changed('an upsert replaces the row', 'WRITE-21', (mutation) =>
    mutation.kind === 'update' && mutation.create !== undefined && mutation.additions === undefined
      ? { kind: 'put', schema: mutation.schema, row: mutation.create }
      : mutation,
  ),
  changed('an upsert never creates', 'WRITE-21', (mutation) => {
    if (mutation.kind !== 'update') return mutation
    const { create: _, ...update } = mutation
    return update
  }),
  changed('an upsert that sets the expiry keeps the old one', 'EXPIRY-2', (mutation) =>
    isUpsert(mutation) ? { ...mutation, set: mutation.set.filter((at) => at !== mutation.schema.expiryIndex) } : mutation,
  ),
  changed('an upsert that sets the expiry drops the columns that it does not name', 'EXPIRY-2', (mutation) =>
    isUpsert(mutation) && mutation.set.includes(mutation.schema.expiryIndex)
      ? { kind: 'put', schema: mutation.schema, row: mutation.create }
      : mutation,
  ),
  changed('an upsert always sets the expiry', 'EXPIRY-2', (mutation) =>
    isUpsert(mutation) && mutation.schema.expiryIndex >= 0
      ? { ...mutation, set: [...mutation.set, mutation.schema.expiryIndex] }
      : mutation,
  ),
  changed('an upsert without values creates nothing', 'WRITE-21', (mutation) => {
    if (!isUpsert(mutation) || mutation.set.length > 0) return mutation
    const { create: _, ...update } = mutation
    return update
  }),
  changed('an upsert without values clears the row', 'WRITE-21', (mutation) =>
    isUpsert(mutation) && mutation.set.length === 0 ? { kind: 'put', schema: mutation.schema, row: mutation.create } : mutation,
  ),
  wrong('a row without values cannot be upserted', 'WRITE-21', (base) => ({
    async write(batch, options) {
      const outcomes: Outcome[] = []
      for (const mutation of batch) {
        const found = isUpsert(mutation) ? await current(base, mutation) : undefined
        const isEmpty = found?.slice(mutation.schema.keyLength).every((value) => value === null) ?? false
        outcomes.push(...(isEmpty ? [{ kind: 'failed', cause: new Error('no values') } as const] : await base.write([mutation], options)))
      }
      return outcomes
    },
  })),
  reported('the row that is returned is the one before', 'WRITE-22', (outcomes, batch) =>
    outcomes.map((outcome, i) =>
      outcome.kind === 'applied' && outcome.row !== undefined ? { ...outcome, row: (batch[i] as Mutation).row } : outcome,
    ),
  ),
  changed('versions are ignored', 'ADAPTER-10', ({ version: _, ...mutation }) => mutation),
  reported("'missing' for 'conflict'", 'ADAPTER-10', (outcomes) => renamed(outcomes, 'conflict', 'missing')),
  reported('deletes of absent rows are missing', 'WRITE-4', (outcomes, batch) =>
    outcomes.map((outcome, i) => (batch[i]?.kind === 'delete' && batch[i].version === undefined ? { kind: 'missing' } : outcome)),
  ),
  reported('outcomes come in another order', 'ADAPTER-6', (outcomes) => outcomes.toReversed()),
  reported('a batch is answered by its first outcome', 'ADAPTER-6', (outcomes) => outcomes.map(() => outcomes[0] as Outcome)),
  wrong('a batch stops at its first failure', 'ADAPTER-6', (base) => ({
    async write(batch, options) {
      const outcomes: Outcome[] = []
      for (const mutation of batch) {
        const failed = options.atomic === undefined && outcomes.some(({ kind }) => kind !== 'applied')
        outcomes.push(...(failed ? ([{ kind: 'unprocessed' }] as const) : await base.write([mutation], options)))
      }
      return outcomes
    },
  })),
  wrong('every fifth write is lost, and its unknown outcome is answered as applied', 'WRITE-5', (base) => {
    let written = 0
    return {
      write(batch, options) {
        const kept = batch.map((mutation) => ({ mutation, isLost: mutation.kind === 'put' && ++written % 5 === 0 }))
        return after(
          base.write(
            kept.flatMap(({ mutation, isLost }) => (isLost ? [] : [mutation])),
            options,
          ),
          (outcomes) => {
            let at = 0
            return kept.map(({ isLost }): Outcome => (isLost ? { kind: 'applied' } : (outcomes[at++] as Outcome)))
          },
        )
      },
    }
  }),
  wrong('a batch is written up to its hundredth mutation', 'WRITE-5', (base) => ({
    write: (batch, options) =>
      after(base.write(batch.slice(0, 100), options), (outcomes) => [
        ...outcomes,
        ...batch.slice(100).map(() => ({ kind: 'applied' }) as const),
      ]),
  })),
  wrong('an atomic batch is applied up to what fails', 'ADAPTER-11', (base) => ({
    write: (batch, { atomic: _, ...options }) => base.write(batch, options),
  })),
  wrong('an atomic batch that fails is undone but for its last mutation', 'ADAPTER-11', (base) => ({
    write: (batch, options) =>
      after(base.write(batch, options), (outcomes) => {
        const last = batch.at(-1)
        if (options.atomic !== undefined && outcomes.at(-1)?.kind === 'unprocessed' && last !== undefined) {
          const { atomic: _, ...plain } = options
          void base.write([last], plain)
        }
        return outcomes
      }),
  })),
  changed(
    '−0 is written as 0',
    'ROW-1',
    values((value) => (value === 0 ? 0 : value)),
  ),
  changed('empty text is written as null', 'ROW-1', (mutation) =>
    full(mutation) ? values((value) => (value === '' ? null : value))(mutation) : mutation,
  ),
  changed('empty bytes are written as null', 'ROW-1', (mutation) =>
    full(mutation)
      ? {
          ...mutation,
          row: mutation.row.map((value, i) =>
            i >= mutation.schema.keyLength && value instanceof Uint8Array && value.length === 0 ? null : value,
          ),
        }
      : mutation,
  ),
  changed(
    '64-bit integers go through doubles',
    'ROW-1',
    values((value) => (typeof value === 'bigint' ? BigInt.asIntN(64, BigInt(Number(value))) : value)),
  ),
  changed('lone halves of characters are cut: text ends at its first character beyond the BMP', 'ROW-1', (mutation) =>
    full(mutation)
      ? {
          ...mutation,
          row: mutation.row.map((value, i) =>
            i >= mutation.schema.keyLength && typeof value === 'string' ? (value.split('\u{1f600}')[0] ?? '') : value,
          ),
        }
      : mutation,
  ),
  wrongReads('purgeExpired counts a row that it has not deleted', 'ADAPTER-12', (store) => ({
    purgeExpired: async (now, limit, options) => ((await store.purgeExpired?.(now, limit, options)) ?? 0) + 1,
  })),
  wrong('purgeExpired deletes whatever has an expiry', 'ADAPTER-12', (base) => ({
    table(schema, catalog) {
      const store: TableStore = base.table(schema, catalog)
      return Object.assign(Object.create(store) as TableStore, {
        get: store.get.bind(store),
        scan: store.scan.bind(store),
        fullScan: store.fullScan.bind(store),
        purgeExpired: (_: number, limit: number) => store.purgeExpired?.(Number.MAX_SAFE_INTEGER, limit) ?? Promise.resolve(0),
      })
    },
  })),
]
