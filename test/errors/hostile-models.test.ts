import { bucket, dictionary, json, nullable, text, uint8, type RowkeyError } from 'rowkey/codec'
import { createMapper, memory } from 'rowkey'
import * as model from '../../packages/rowkey/src/model/index.js'
import { describe, expect, test } from 'vitest'
import { attack, hostileTexts, longHostileText, longText, mustBeClean, mustBeCleanError } from './hostile.js'

const { defineTable, renameTable, schemaFromJSON, schemaOf } = model

const texts = [...hostileTexts, longText, longHostileText]
const never = (message: unknown, path: unknown): never =>
  ({ '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message, path }] }) } }) as never

const definition = {
  columns: {
    id: text({ name: 'i', default: 'x' }),
    no: uint8(),
    kind: nullable(dictionary({ a: 'b' })),
    doc: nullable(json({ default: { a: [1] } })),
  },
  partition: ['id'],
  key: ['no'],
  salt: bucket({ of: ['id'], count: 4 }),
  writes: 'conditional',
  stores: { redis: { shards: 1 } },
  ttl: '1d',
  version: 'rev',
  check: never('no', []),
  checks: { kind: never('no', []) },
}
const made = defineTable('things', definition as never)
const data = JSON.parse(JSON.stringify(made)) as object

/** Whatever was accepted: its names are shown as they are, so nothing after it has to escape them. */
function mustBeShowable(schema: unknown): void {
  if (!model.isTableSchema(schema)) return
  mustBeClean(schema.name, 'a name of a table')
  for (const { name, physical } of schema.columns) for (const each of [name, physical]) mustBeClean(each, 'a name of a column', 255)
}

describe.each([
  ['defineTable()', ['things', definition], (name, given) => defineTable(name, given)],
  ['schemaFromJSON()', [data], (given) => schemaFromJSON(given)],
  ['renameTable()', [made, 'others'], (schema, name) => renameTable(schema, name)],
  ['schemaOf()', [made], (schema) => schemaOf(schema)],
] as readonly (readonly [string, readonly unknown[], (...args: never[]) => unknown])[])('ERR-3: %s', (what, args, call) => {
  test('shows no hostile text, and makes no table with one in a name', async () => {
    for (const hostile of hostileTexts) await attack(what, args, hostile, (given) => mustBeShowable(call(...(given as never[]))), 5)
  })

  test('shows no long text whole', async () => {
    for (const long of [longText, longHostileText]) await attack(what, args, long, (given) => mustBeShowable(call(...(given as never[]))))
  })
})

type Decorate = (hostile: never) => unknown
const expectThrow = (message: string): never => {
  throw new Error(message)
}
const fieldDecorators: Readonly<Record<string, readonly Decorate[]>> = {
  Column: [() => model.Column(text()), () => model.Column(), (hostile) => model.Column(hostile)],
  KeyColumn: [(hostile) => model.KeyColumn(hostile, text()), (hostile) => model.KeyColumn(1, hostile)],
  PartitionKey: [(hostile) => model.PartitionKey(hostile, text())],
  Version: [() => model.Version()],
  Check: [(hostile) => model.Check(hostile), (hostile) => model.Check(() => expectThrow(hostile))],
}
const classDecorators: Readonly<Record<string, readonly Decorate[]>> = {
  Table: [(hostile) => model.Table(hostile), (hostile) => model.Table('things', { [hostile]: 1 })],
  Ttl: [(hostile) => model.Ttl(hostile)],
  Bucket: [(hostile) => model.Bucket({ of: hostile, count: 4 })],
  HashPrefix: [(hostile) => model.HashPrefix({ of: hostile, digits: 2 })],
  Index: [(hostile) => model.Index(hostile, { key: ['id'] }), (hostile) => model.Index('byId', { key: [hostile] })],
  KuduHash: [(hostile) => model.KuduHash({ of: hostile, count: 4 })],
}

/** A class with this name, that may throw when it is constructed. */
const classNamed = (name: string, isBroken: boolean): new () => object =>
  ({
    [name]: class {
      constructor() {
        if (isBroken) throw new Error(name)
      }
    },
  })[name] as new () => object

const caught = (run: () => unknown): unknown[] => {
  try {
    run()
    return []
  } catch (error) {
    return [error]
  }
}

test('ERR-3: decorators show no hostile name of a class, a field or an option', () => {
  const decorators = Object.keys(model).filter((name) => /^[A-Z]/.test(name) && name !== 'RowKey')
  expect([...Object.keys(fieldDecorators), ...Object.keys(classDecorators)].sort()).toEqual(decorators.sort())
  for (const hostile of texts) {
    for (const [what, made] of Object.entries(fieldDecorators)) {
      for (const [decorator, isBroken] of made.flatMap((each) => [[each, false] as const, [each, true] as const])) {
        const Model = classNamed(hostile, isBroken)
        const errors = caught(() => {
          const decorate = decorator(hostile as never) as (target: unknown, name: string) => void
          decorate(Model.prototype, hostile)
          decorate(Model, hostile) // a static field
          ;(model.Table(isBroken ? 'things' : hostile) as (target: unknown) => void)(Model)
          schemaOf(Model)
        })
        expect(errors).toHaveLength(1)
        for (const error of errors) mustBeCleanError(error, what)
      }
    }
    for (const [what, made] of Object.entries(classDecorators)) {
      const errors = made.flatMap((decorator) =>
        caught(() => {
          const Model = classNamed(hostile, true)
          ;(decorator(hostile as never) as (target: unknown) => void)(Model)
          schemaOf(Model)
        }),
      )
      expect(errors).toHaveLength(made.length)
      for (const error of errors) mustBeCleanError(error, what)
    }
  }
})

test('ERR-3: what checks of other libraries say is shown escaped and cut', async () => {
  const db = createMapper(memory())
  for (const hostile of texts) {
    for (const path of [[], [hostile, 0, { key: hostile }], Array.from({ length: 1000 }, () => hostile), hostile, [Symbol(hostile)]]) {
      const Checked = defineTable('checked', {
        columns: { id: text(), note: nullable(text()) },
        key: ['id'],
        check: never(hostile, path),
        checks: { note: never(hostile, path) },
      })
      const checked = db.repository(Checked)
      const error: unknown = await checked.put({ id: 'a', note: 'b' }).catch((reason: unknown) => reason)
      mustBeCleanError(error, 'VALIDATION_FAILED')
    }
  }
})

test('ERR-3: an error lists at most 100 issues and 100 problems', async () => {
  const many = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: () => ({ issues: Array.from({ length: 5000 }, () => ({ message: 'Too short.' })) }),
    },
  } as never
  const Checked = defineTable('checked', { columns: { id: text() }, key: ['id'], check: many })
  const error = (await createMapper(memory())
    .repository(Checked)
    .put({ id: 'a' })
    .catch((reason: unknown) => reason)) as RowkeyError
  expect(error.details['issues']).toHaveLength(100)
  expect(error.message).toMatch(/\n… and \d+ more lines$|\n- and 4900 more$/)
  const [problem] = caught(() =>
    defineTable('t', { columns: { id: text() }, key: Array.from({ length: 5000 }, (_, i) => `k${i}`) } as never),
  )
  expect((problem as RowkeyError).details['problems']).toHaveLength(100)
  expect((problem as Error).message).toMatch(/has 5000 problems:\n.*\n- and 4980 more$/s)
})

test('ERR-3: a message about a table with many columns names some of them', async () => {
  const names = Array.from({ length: 250 }, (_, i) => `column_${i}_${'x'.repeat(100)}`)
  const Wide = defineTable('wide', {
    columns: Object.fromEntries(names.map((name) => [name, nullable(text())])),
    key: [names[0] as string],
  })
  const wide = createMapper(memory()).repository(Wide)
  const calls: readonly (() => Promise<unknown>)[] = [
    () => wide.put({ other: 1 } as never),
    () => wide.scan({ other: 1 } as never).count(),
    () => wide.increment({ [names[0] as string]: 'a' }, { other: 1 }),
  ]
  for (const call of calls) {
    const error = (await call().catch((reason: unknown) => reason)) as Error
    expect(error.message).toMatch(/ and 24\d more\.$/)
    expect(error.message.length).toBeLessThan(1000)
  }
})
