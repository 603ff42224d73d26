// Tested by wrong.test.ts.
import type { World } from '../suite/world.js'
import { bucket, desc, int32, isRowkeyError, nullable, text, timestamp, uint16, uint64, type ColumnType, type Salt } from '#codec'
import { createMapper } from '#mapper'
import { defineTable, type TableSchema } from '#model'
import { check, refusalOf, refused, same, thrown } from '../check.js'
import { needsHint } from '../suite/needs-hint.js'
import { rule, type Rule } from '../suite/rule.js'

type Types = Readonly<Record<string, ColumnType>>

interface Options {
  readonly key?: readonly string[]
  readonly salt?: Salt
  readonly retired?: readonly string[]
  readonly ttl?: string
}

const bucketOf = (column: string, count = 4): Salt => bucket({ of: column, count })

/** One table, as one deploy after another declares it. */
const declared = (columns: Types, options: Options = {}): TableSchema =>
  defineTable('deployed', { columns, key: ['user', 'at'], salt: bucketOf('user'), writes: 'plain', ...options } as never)

const first: Types = { user: text(), at: timestamp('ms'), n: uint16(), note: nullable(text()) }
const last: Types = { ...first, extra: nullable(int32()), state: text({ default: 'old' }), n: nullable(uint16()) }
const without = (columns: Types, name: string): Types => Object.fromEntries(Object.entries(columns).filter(([each]) => each !== name))
const renamedKey: Options = { key: ['who', 'at'], salt: bucketOf('who') }

/** A next deploy, and whether it is one; each after those before it. */
interface Step {
  readonly what: string
  readonly model: TableSchema
  /** Part of the message of the refusal; absent if it is accepted. */
  readonly refusal?: string
}

const steps: readonly Step[] = [
  { what: 'the same model', model: declared(first) },
  { what: 'a nullable column is added', model: declared({ ...first, extra: nullable(int32()) }) },
  {
    what: 'a column with a constant default is added',
    model: declared({ ...first, extra: nullable(int32()), state: text({ default: 'old' }) }),
  },
  { what: 'a required column becomes nullable', model: declared(last) },
  {
    what: 'another constant default',
    model: declared({ ...last, state: text({ default: 'new' }) }),
    refusal: 'the model has the default',
  },
  { what: 'a required column is added', model: declared({ ...last, must: text() }), refusal: 'the table has none' },
  {
    what: "a column with the default 'now' is added",
    model: declared({ ...last, when: timestamp('ms', { default: 'now' }) }),
    refusal: 'the table has none',
  },
  { what: 'a property is renamed with { name }', model: declared({ ...without(last, 'note'), comment: nullable(text({ name: 'note' })) }) },
  {
    what: 'a property is renamed without { name }',
    model: declared({ ...without(last, 'note'), comment: nullable(text()) }),
    refusal: `{ name: 'note' }`,
  },
  { what: 'a key column is renamed with { name }', model: declared({ ...without(last, 'user'), who: text({ name: 'user' }) }, renamedKey) },
  {
    what: 'a key column is renamed without { name }',
    model: declared({ ...without(last, 'user'), who: text() }, renamedKey),
    refusal: 'key column 1',
  },
  { what: 'a nullable column is removed', model: declared(without(last, 'note')) },
  { what: 'a column that was required and is nullable now is removed', model: declared(without(last, 'n')) },
  { what: 'a nullable column becomes required, while no row is null', model: declared({ ...last, note: text() }) },
  { what: 'another sort of number', model: declared({ ...last, n: nullable(uint64()) }), refusal: `column 'n'` },
  { what: 'other buckets', model: declared(last, { salt: bucketOf('user', 8) }), refusal: 'salt' },
  { what: 'the newest row first', model: declared({ ...last, at: desc(timestamp('ms')) }), refusal: 'key column 2' },
  {
    what: 'a column takes the place of a retired one',
    model: declared({ ...without(last, 'note'), comment: nullable(text()) }, { retired: ['note'] }),
  },
]

/** Everything that happens to one table, because tables are slow to make. Before the last steps the first program starts again each time. */
async function deployAll(world: World): Promise<void> {
  const { adapter, prefix, clock } = world
  const started = (): ReturnType<typeof createMapper> => createMapper(adapter, { prefix, clock: () => clock.now })
  const oldest = declared(first)
  const running = await world.repository(oldest)
  const row = { user: 'ann', at: new Date(5), n: 7, note: 'kept' }
  await running.put(row)
  for (const { what, model, refusal } of steps) {
    const next = started()
    if (refusal !== undefined) {
      const error = await refusalOf(what, () => next.ensureTables([model]))
      check(isRowkeyError(error, 'SCHEMA_MISMATCH') && error.message.includes(refusal), `${what} is refused with ${thrown(error)}`)
    } else {
      await next.ensureTables([model])
      same(await next.repository(model).readAll().count(), 1, `rows after the deploy: ${what}`)
    }
    same(await running.get({ user: 'ann', at: row.at }), row, `a row for the program that runs since before: ${what}`)
    const again = started()
    await again.ensureTables([oldest])
    same(await again.repository(oldest).get({ user: 'ann', at: row.at }), row, `a row for the first program, started again: ${what}`)
  }
  const expiring = declared(last, { ttl: '30d' })
  if (needsHint(adapter, expiring)) return
  await started().ensureTables([expiring])
  await started().ensureTables([declared(last, { ttl: '60d' })])
  await refused('a model without the ttl of the table', () => started().ensureTables([declared(last)]), 'SCHEMA_MISMATCH')
  same(await running.get({ user: 'ann', at: row.at }), row, 'a row for the program that runs since before rows expired')
}

/** A version is a column that every model has from then on: a program without it would write rows without one. */
async function versioned({ db, prefix, adapter, clock, repository }: World): Promise<void> {
  const model = (options: object): TableSchema =>
    defineTable('versioned_later', { columns: { k: text(), v: nullable(text()) }, key: ['k'], ...options } as never)
  const [before, after] = [model({}), model({ version: 'rev' })]
  const running = await repository(before)
  await running.put({ k: 'a', v: 'x' })
  const next = await repository(after)
  same(await next.get({ k: 'a' }), { k: 'a', v: 'x', rev: null }, 'a row from before')
  await next.update({ k: 'a' }, { v: 'y' })
  check(typeof (await next.get({ k: 'a' }))?.['rev'] === 'string', 'an update gives a row from before its first version')
  same(await running.get({ k: 'a' }), { k: 'a', v: 'y' }, 'the row for the program that runs since before')
  await refused('a model without the version of the table', () => db.ensureTables([before]), 'SCHEMA_MISMATCH')
  const again = createMapper(adapter, { prefix, clock: () => clock.now })
  await refused('the first program, started again', () => again.ensureTables([before]), 'SCHEMA_MISMATCH')
}

export const deploys: readonly Rule[] = [
  rule('TABLE-3: a table gets versions', versioned, 'versions'),
  rule('TABLE-3 TABLE-7 TABLE-11 TABLE-12: what a next deploy may change, while programs of the first one run and start', deployAll),
]
