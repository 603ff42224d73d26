import { bucket, bytes, desc, int32, nullable, text } from 'rowkey/codec'
import { defineTable, memory, type TableSchema } from 'rowkey'
import type { Adapter, Bound, Outcome, Row } from 'rowkey/adapter'
import { describe, expect, inject, test } from 'vitest'
import { dynamodb } from '@rowkey/dynamodb'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { clientOf } from './client.js'
import { checkQuery } from './check-query.js'
import { intercept } from './middleware.js'
import { named, type Change } from './servers.js'
import '../../../test/setup/serve.js'

const Things: TableSchema = defineTable('things', {
  columns: { t: text(), b: desc(bytes()), n: int32(), v: nullable(text()), w: nullable(int32()) },
  partition: ['t'],
  key: ['b', 'n'],
  salt: bucket({ of: 'n', count: 3 }),
  ttl: '1h',
  version: 'rev',
})

const nastyTexts = ['', '\0', 'a', 'a\0', 'a\0\u0001', 'ab', '\uff5e', '\u{1f600}', "'", '"}', ':x', '#x']
const nastyBytes = ['', '00', '0000', '0001', 'ff', 'ffff', 'ff00', '61', '6100'].map((hex) => new Uint8Array(Buffer.from(hex, 'hex')))

/** Mulberry32. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

type Step =
  | { readonly write: readonly Change[]; readonly now: number }
  | { readonly get: readonly Row[]; readonly columns?: readonly number[] }
  | { readonly scan: Row; readonly reverse: boolean; readonly from: Bound; readonly to: Bound; readonly want: number }

function programOf(seed: number, steps: number): readonly Step[] {
  const random = randomOf(seed)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const key = (): Row => [pick(nastyTexts.slice(0, 5)), pick(nastyBytes), random(3)]
  const version = (): string => `v${random(3)}`
  const row = (): Row => [...key(), pick([null, ...nastyTexts]), pick([null, 0, -1, 2 ** 31 - 1]), pick([null, 99, 100, 101]), version()]
  const change = (): Change => {
    const kind = pick(['put', 'insert', 'update', 'delete'] as const)
    const conditional = random(2) === 0 ? { version: version() } : {}
    if (kind === 'delete') return { kind, row: key(), ...conditional }
    if (kind === 'update') return { kind, row: row(), set: pick([[3], [4], [3, 4], [3, 6], [5, 6]]), ...conditional }
    return kind === 'insert' ? { kind, row: row() } : { kind, row: row(), ...conditional }
  }
  const bound = (partition: string): Bound => {
    const rest = pick<() => Row>([() => [], () => [pick(nastyBytes)], () => [pick(nastyBytes), random(3)]])()
    return { prefix: [partition, ...rest], edge: pick(['before', 'after']) }
  }
  return Array.from({ length: steps }, (): Step => {
    const what = random(10)
    if (what < 5) {
      const rows = new Map(
        Array.from({ length: 1 + random(6) }, change).map((one) => [Buffer.from(Things.layout.rowkey(one.row)).toString('hex'), one]),
      )
      return { write: [...rows.values()], now: 100 }
    }
    if (what < 7) {
      const keys = new Map(
        Array.from({ length: 1 + random(8) }, key).map((one) => [Buffer.from(Things.layout.rowkey(one)).toString('hex'), one]),
      )
      return { get: [...keys.values()], ...(random(2) === 0 ? { columns: [random(2) + 3] } : {}) }
    }
    const scanned = key()
    const partition = scanned[0] as string
    const [from, to] = [bound(partition), bound(partition)].sort(Things.layout.compareBounds) as [Bound, Bound]
    if (Things.layout.compareBounds(from, to) === 0) return { get: [scanned] } // the core asks for no empty range
    return { scan: scanned, reverse: random(2) === 0, from, to, want: 1 + random(5) }
  })
}

/** What a store answers, in a form that can be compared. */
async function answersOf(adapter: Adapter, schema: TableSchema, program: readonly Step[]): Promise<readonly string[]> {
  const catalog = await adapter.ensureTable(schema)
  const store = adapter.table(schema, catalog)
  const answers: string[] = []
  for (const step of program) {
    if ('write' in step) {
      const outcomes = await adapter.write(
        step.write.map((change) => ({ ...change, schema })),
        { now: step.now },
      )
      answers.push(outcomes.map(({ kind }: Outcome) => kind).join())
    } else if ('get' in step) {
      answers.push(
        shown(await store.get(step.get, { consistency: 'strong', ...(step.columns === undefined ? {} : { columns: step.columns }) })),
      )
    } else {
      const source = store.scan(
        { bucket: schema.layout.bucketOf(step.scan), from: step.from, to: step.to, reverse: step.reverse },
        { consistency: 'strong' },
      )
      const rows: Row[] = []
      for (let page = await source.next(step.want); page !== undefined; page = await source.next(step.want)) rows.push(...page.rows)
      answers.push(shown(rows))
    }
  }
  return answers
}

const shown = (rows: readonly (Row | undefined)[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : value)) ?? ''

describe('dynalite, moto and memory answer a random program alike', () => {
  const servers = inject('servers')
  test.each([1, 2, 3, 4])('seed %i', async (seed) => {
    const program = programOf(seed, 150)
    const wanted = await answersOf(memory(), named(Things), program)
    expect(new Set(wanted).size).toBeGreaterThan(20)
    for (const name of ['dynalite', 'moto'] as const) {
      const server = servers[name]
      if (server === undefined || 'missing' in server) continue
      const client: DynamoDBClient = clientOf(server.connection)
      intercept(client, (attempt) => {
        checkQuery(attempt)
        return attempt.send()
      })
      const options = name === 'moto' ? {} : { transactions: false, nativeTtl: false }
      const given = await answersOf(dynamodb(client, options), named(Things), program)
      client.destroy()
      for (const [i, answer] of given.entries()) {
        if (answer !== wanted[i])
          throw new Error(`step ${i} on ${name}: ${shown([program[i] as never])}\n  memory ${wanted[i]}\n  ${name} ${answer}`)
      }
    }
  })
})
