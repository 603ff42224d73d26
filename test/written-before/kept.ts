import { type Adapter, createMapper, type TableSchema } from 'rowkey'
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { models } from './models.js'
import { readAt, rowsOf, textOf, writtenAt } from './rows.js'
import { scans } from './scans.js'

// The files in `golden` were made once by the code that wrote format 1 of schemas, catalogs and records, format 2 of cursors and checkpoints,
// and format 1 of the header of an LMDB file: it wrote the rows of rows.ts to a real store of every kind, and what the store then held was
// taken out by that store's own client. They are not made again: what they hold is what users have stored.

/** What does not depend on the store. */
export interface Kept {
  /** By table: the schema as JSON, its fingerprints, and the rows in the order of rows.ts, as textOf() shows them. */
  readonly tables: Readonly<Record<string, KeptTable>>
  /** By the name of the scan: its rows in their order, and cursors after so many of them. */
  readonly scans: Readonly<Record<string, { readonly rows: readonly (number | string)[]; readonly cursors: readonly KeptCursor[] }>>
}

interface KeptTable {
  readonly schema: string
  readonly fingerprints: TableSchema['fingerprints']
  readonly rows: readonly string[]
}

interface KeptCursor {
  readonly after: number
  readonly plain: string
  readonly signed: string
}

/** Full scans in the middle of a table of one store: the rows that were not read yet. */
export interface KeptCheckpoint {
  readonly table: string
  readonly checkpoint: string
  readonly signed: string
  readonly rest: readonly number[]
}

export const golden = <T>(name: string): T => JSON.parse(readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8')) as T

export const kept: Kept = golden('kept')
const cursorSecret = 'the secret of the cursors'

/** A row by its number in its table, or by its text where it has some columns only. */
const rowText = (table: string, row: number | string): string =>
  typeof row === 'string' ? row : (kept.tables[table]?.rows[row] ?? expect.fail(`${table}, row ${row}`))

/** A table as its rows are asked for here: whatever its columns are. */
type AnyRow = Readonly<Record<string, unknown>>

const hasVersions = ({ columns }: TableSchema): boolean => columns.some(({ role }) => role === 'version')

const keyOf = (model: TableSchema, row: AnyRow): never =>
  Object.fromEntries(model.columns.slice(0, model.keyLength).map(({ name }) => [name, row[name]])) as never

/** Everything that was stored can be used by today's code, through an adapter over a store that holds it. */
export async function expectUsable(adapter: Adapter, checkpoints: readonly KeptCheckpoint[]): Promise<void> {
  const clock = (): number => readAt
  const plain = createMapper(adapter, { clock })
  const signing = createMapper(adapter, { clock, cursorSecret })
  for (const model of models) {
    const before = await adapter.describeTable(model.name)
    expect(JSON.stringify(before?.schema), model.name).toBe(kept.tables[model.name]?.schema)
    expect(await adapter.ensureTable(model), `${model.name} does not change`).toEqual(before)
    await expectRows(adapter, model)
  }
  for (const { name, model, where, options } of scans) {
    const { rows: shown, cursors } = kept.scans[name] ?? expect.fail(name)
    const rows = shown.map((row) => rowText(model.name, row))
    const read = async (db: typeof plain, from?: string): Promise<readonly string[]> => {
      const scan = db.repository(model).scan(where, options as never)
      const found = from === undefined ? await scan.toArray() : (await scan.page({ size: 10_000, cursor: from })).rows
      return found.map(textOf)
    }
    expect(await read(plain), name).toEqual(rows)
    expect(cursors.length, name).toBeGreaterThan(1)
    for (const { after, plain: cursor, signed } of cursors) {
      expect(await read(plain, cursor), `${name}, after ${after}`).toEqual(rows.slice(after))
      expect(await read(signing, signed), `${name}, after ${after}, signed`).toEqual(rows.slice(after))
    }
  }
  expect(new Set(checkpoints.map(({ table }) => table)).size).toBe(models.length)
  for (const { table, checkpoint, signed, rest } of checkpoints) {
    const model = models.find(({ name }) => name === table) ?? expect.fail(table)
    for (const [db, at] of [
      [plain, checkpoint],
      [signing, signed],
    ] as const) {
      // prettier-ignore
      const rows: string[] = []
      for await (const row of db.repository(model).readAll({ checkpoint: at })) rows.push(textOf(row))
      expect(rows.sort(), `${table}, from ${checkpoint}`).toEqual(rest.map((row) => rowText(table, row)).sort())
    }
  }
  for (const model of models) await expectWritable(adapter, model)
}

/** Every row by its key, as of two times: when all were alive, and when some had expired. */
async function expectRows(adapter: Adapter, model: TableSchema): Promise<void> {
  const given = rowsOf(model)
  const keys = given.map(({ row }) => keyOf(model, row))
  const texts = kept.tables[model.name]?.rows ?? expect.fail(model.name)
  for (const now of [writtenAt, readAt]) {
    const found = await createMapper(adapter, { clock: () => now })
      .repository(model)
      .getMany(keys)
    given.forEach(({ expiresAt }, i) => {
      const isAlive = expiresAt === undefined || expiresAt === null || expiresAt.getTime() > now
      const row = found[i] as AnyRow | undefined
      expect(row === undefined ? undefined : textOf(row), `${model.name}, row ${i}`).toBe(isAlive ? texts[i] : undefined)
      if (row !== undefined && hasVersions(model)) expect(row['rev']).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    })
  }
}

/** One row is changed under the version that was stored, one is deleted, one is new; the others stay. */
async function expectWritable(adapter: Adapter, model: TableSchema): Promise<void> {
  const table = createMapper(adapter, { clock: () => readAt }).repository(model)
  const given = rowsOf(model).map(({ row }) => row)
  const all = async (): Promise<readonly string[]> => {
    const rows: string[] = []
    for await (const row of table.readAll()) rows.push(textOf(row))
    return rows.sort()
  }
  const [changed = expect.fail(), deleted = expect.fail()] = given
  const before = await all()
  const found = (await table.getOrThrow(keyOf(model, changed))) as AnyRow
  const value = model.columns.find(({ role, type }) => role === 'value' && type.nullable)?.name ?? expect.fail()
  const other = given.map((row) => row[value]).find((each) => each !== null && each !== found[value])
  if (model.writes === 'plain') await table.put({ ...found, [value]: other })
  else {
    const condition = hasVersions(model) ? { if: { rev: found['rev'] as string } } : {}
    await table.update(keyOf(model, changed), { [value]: other }, condition)
    await expect(table.insert(changed as never)).rejects.toMatchObject({ code: 'ROW_EXISTS' })
  }
  await table.delete(keyOf(model, deleted))
  await table.put(deleted)
  await table.delete(keyOf(model, deleted))
  const gone = kept.tables[model.name]?.rows[1]
  expect(await all()).toEqual(
    before.filter((row) => row !== gone).map((row) => (row === textOf(found) ? textOf({ ...found, [value]: other }) : row)).sort(), // prettier-ignore
  )
  expect(await all()).not.toContain(textOf(found))
}
