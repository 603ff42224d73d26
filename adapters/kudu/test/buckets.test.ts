import type { KuduAddress } from '@rowkey/kudu'
import { createMapper, defineTable, desc, int32, kuduHash, nullable, text, toHex, type Salt } from 'rowkey'
import { isRowkeyError, type TableSchema } from 'rowkey/adapter'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startJava, rowWord, type JavaProgram } from '../../../clients/kudu/test/java.js'
import { kinds, type OracleKind } from '../../../packages/rowkey/src/conformance/oracle/kinds.js'
import { withServer } from '../../../test/setup/with-server.js'
import { keyColumns } from '../src/keys.js'
import { saltingOf } from '../src/salting/salting.js'
import { connect, type Connected } from './connected.js'

/** The first level is of one column, which is the last one hashed; the second has one before its last. */
const salt: readonly Salt[] = [kuduHash({ of: 'a', count: 5, seed: 3 }), kuduHash({ of: ['b', 't'], count: 7 })]

function modelOf(name: string, { type }: OracleKind, isDesc: boolean): TableSchema | undefined {
  const column = isDesc ? desc(type) : type
  try {
    const columns = { a: column, b: column, t: text(), n: nullable(int32()) }
    return defineTable(name, { columns, key: ['a', 'b', 't'], salt } as never)
  } catch (error) {
    if (isRowkeyError(error, 'INVALID_SCHEMA') && error.message.includes('INVALID_SALT')) return undefined // kuduHash() does not accept the type
    throw error
  }
}

type KeyedRow = Readonly<Record<'a' | 'b' | 't', unknown>> & { readonly n: number }

/** Rows with pairs of these values. */
function pairsOf(values: readonly unknown[]): readonly KeyedRow[] {
  const texts = ['', 'web', 'a\0ü']
  return values.flatMap((a, i) => values.slice(i % 3, (i % 3) + 4).map((b, j) => ({ a, b, t: texts[(i + j) % 3], n: i })))
}

type Given = Readonly<Record<string, unknown>>

/** The repository of a model whose types are only known at run time. */
interface KuduRows {
  putMany(rows: readonly Given[]): Promise<void>
  getMany(keys: readonly Given[]): Promise<readonly (Given | undefined)[]>
  encodeKey(key: Given): Uint8Array
  locate(key: Given): Promise<KuduAddress>
  scan(where: Given, options: object): { toArray(): Promise<readonly Given[]> }
}

const accepted = kinds.filter((kind) => modelOf('t', kind, false) !== undefined)

withServer('kudu', (connection) => {
  let server: Connected
  let java: JavaProgram
  beforeAll(async () => {
    server = await connect(connection)
    java = startJava(connection)
  })
  afterAll(async () => {
    await java.end()
    await server.dispose()
  })

  /** Puts rows of all pairs of values, and compares their buckets with those of Java and with the tablets in which they are. */
  async function check(model: TableSchema, rows: readonly KeyedRow[]): Promise<void> {
    const { adapter, client, database } = server
    const db = createMapper(adapter)
    await db.ensureTables([model])
    const repository = db.repository(model) as unknown as KuduRows
    const written = [...new Map(rows.map((row) => [toHex(repository.encodeKey(row)), row])).values()]
    await repository.putMany(written)
    const table = await client.openTable(`${database}.${model.name}`)
    const keys = await Promise.all(written.map((row) => repository.locate(row)))
    const answer = await java.run('keys', table.name, ...keys.map(({ key }) => rowWord(table.columns, Object.values(key))))
    const ours = written.map((row) => [...repository.encodeKey(row).subarray(0, 2)]) // a byte for each level
    const theirs = answer.split(' ').map((each) => {
      const key = Buffer.from(each.split('/')[1] as string, 'hex')
      return [key.readUInt32BE(0), key.readUInt32BE(4)]
    })
    expect(ours).toEqual(theirs)
    const count = new Map<string, number>()
    for (const bucket of ours) count.set(bucket.join(), (count.get(bucket.join()) ?? 0) + 1)
    for (const { id, buckets } of await client.tablets(table)) {
      let found = 0
      for await (const batch of client.scan(table, { columns: [], tablet: id })) found += batch.length
      expect(found, `rows with the buckets ${buckets.join()}`).toBe(count.get(buckets.join()) ?? 0)
    }
    // And with its whole key each row is found, and no other.
    const found = await repository.getMany(written.map(({ a, b, t }) => ({ a, b, t })))
    expect(found.map((row) => row?.['n'])).toEqual(written.map(({ n }) => n))
    for (const { a, b, t, n } of written.slice(0, 10)) {
      const scanned = await repository.scan({ a, b, t: { gte: t, lte: t } }, { maxFanOut: 7 }).toArray()
      expect(scanned.map((row) => row['n'])).toEqual([n])
    }
  }

  describe.each(accepted.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
    test.each([false, true])('desc %s: hash partitions only if the bucket is the one of Java', async (isDesc) => {
      const model = modelOf(`b_${name.replaceAll(/\W/g, '_')}_${isDesc}`, kind, isDesc) as TableSchema
      if (saltingOf(model) === 'hash') await check(model, pairsOf(kind.pool))
      else expect(keyColumns(model).some(({ form }) => form !== 'native') || kind.name.startsWith('timestamp ms')).toBe(true)
    })
  })

  test('the order of the hashed columns in the salt and in the key may differ', async () => {
    const columns = { a: text(), b: int32(), t: text(), n: nullable(int32()) }
    const turned = [kuduHash({ of: ['t', 'a'], count: 5 }), kuduHash({ of: 'b', count: 7, seed: 2 ** 32 - 1 })]
    const model = defineTable('turned', { columns, key: ['a', 'b', 't'], salt: turned })
    expect(saltingOf(model)).toBe('hash')
    await check(
      model,
      Array.from({ length: 60 }, (_, n) => ({ a: `a${n % 7}`, b: n, t: `t${n % 11}`, n })),
    )
  })
})
