import {
  bucket,
  type ColumnType,
  createMapper,
  defineTable,
  desc,
  dictionary,
  digits,
  hashPrefix,
  int32,
  lastText,
  reversed,
  type Salt,
  separatedText,
  timestamp,
  toHex,
  uint64,
} from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'
import { startJava, type JavaProgram } from './java.js'

interface Given {
  readonly user: string
  readonly order: string
  readonly ts: number
}
type Key = Readonly<Record<string, unknown>>

const name = (): ColumnType => separatedText('_')
const number = ({ ts, user }: Given): Key => ({ ts: BigInt(ts), user })
const instant = ({ ts, user }: Given): Key => ({ user, ts: new Date(ts) })
const ordered = ({ user, order }: Given): Key => ({ user, order })
const stamped = { ts: uint64(), user: lastText() }

/** Formulas of the guides as java/Program.java has them, the declaration of each, and its key. */
const formulas: Readonly<
  Record<string, readonly [columns: Readonly<Record<string, ColumnType>>, key: (given: Given) => Key, salt?: Salt]>
> = {
  md5: [
    { user: separatedText('', { split: 'last' }), order: uint64() },
    ({ user, order }) => ({ user, order: BigInt(order) }),
    hashPrefix({ of: 'user' }),
  ],
  reversed: [{ user: reversed(separatedText('_')), order: lastText() }, ordered],
  reversedNumber: [
    { ts: reversed(digits(uint64(), { separator: '_' })), order: lastText() },
    ({ ts, order }) => ({ ts: BigInt(ts), order }),
  ],
  longBucket: [stamped, number, bucket({ of: 'ts', modulo: 16, bytes: 8 })],
  intBucket: [stamped, number, bucket({ of: 'ts', modulo: 16, bytes: 4 })],
  textBucket: [
    { ts: digits(uint64(), { separator: '_' }), user: lastText() },
    number,
    bucket({ of: 'ts', modulo: 16, decimalDigits: 1, separator: '_' }),
  ],
  paddedBucket: [
    { ts: digits(timestamp('ms'), { width: 13 }), user: lastText() },
    instant,
    bucket({ of: 'ts', modulo: 16, decimalDigits: 2, separator: '_' }),
  ],
  newestFirst: [{ user: name(), ts: desc(digits(timestamp('ms'), { max: 2n ** 63n - 1n })) }, instant],
  seconds: [{ user: name(), ts: digits(timestamp('ms'), { format: 'yyyyMMddHHmmss' }) }, instant],
  constant: [{ type: dictionary({ order: 'O_' }), user: name(), order: lastText() }, (given) => ({ type: 'order', ...ordered(given) })],
}

const users = ['bob', 'bob7', 'b', 'é', '上張', '\u{1f600}a']
const given: readonly Given[] = Array.from({ length: 24 }, (_, i) => ({
  user: users[i % users.length] as string,
  order: String(i * 7919),
  ts: 1000 * (i < 4 ? i : 1_700_000_000 + i * 37),
}))

withServer('hbase', (connection) => {
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

  test.each(Object.keys(formulas))(
    'G-35 G-36 G-37 G-43: %s: rows that a Java program wrote are read, and it finds ours',
    async (formula) => {
      const [columns, keyOf, salt] = formulas[formula] as (typeof formulas)[string]
      const Model = defineTable(`formula_${formula}`, {
        columns: { ...columns, n: int32() },
        key: Object.keys(columns) as [never],
        ...(salt === undefined ? {} : { salt: salt as Salt<never> }),
      })
      const db = createMapper(server.adapter)
      await db.ensureTables([Model])
      const rows = db.repository(Model)
      for (const [n, each] of given.entries()) {
        const key = keyOf(each)
        const hex = await java.run('key', 'none', formula, toHex(new TextEncoder().encode(each.user)), each.order, each.ts)
        expect(toHex(rows.encodeKey(key as never))).toBe(hex)
        if (n % 2 === 0) await rows.put({ ...key, n })
        else await java.run('put', Model.name, hex, 'n', 'toInt', n, 'rk_mark', 'hex', '0102030405060708')
        expect(await java.run('get', Model.name, hex, 'n', 'toInt')).toBe(String(n))
        expect(await rows.get(key as never)).toEqual({ ...key, n })
      }
    },
  )
})
