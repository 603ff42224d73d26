import type { Random } from '../../../test/kit/seeded.js'
import type { Value } from '../src/requests.js'
import type { KuduTable, TableColumn, TableHashLevel } from '../src/table.js'
import { tableOf } from './tables.js'

const integers: Readonly<Record<string, readonly [number, number]>> = {
  INT8: [-128, 127],
  INT16: [-32_768, 32_767],
  INT32: [-(2 ** 31), 2 ** 31 - 1],
  DATE: [-719_162, 2_932_896],
}
const texts = ['', '\0', 'a', '\0\0', 'a\0', 'a\0b', '\u0001', 'é', 'ß\0', '日本', '\u{1f600}', '\u{ffff}', 'host-1', 'x'.repeat(40)]

/** A value of a column; few of them, and often the first or the last of its type. */
export function randomValue({ below }: Random, { type, precision = 0, length = Infinity }: TableColumn): Value {
  const bounds = integers[type]
  if (bounds !== undefined) {
    const [min, max] = bounds
    return [min, min + 1, -1, 0, 1, max - 1, max, below(200) - 100, Math.floor(min + (max - min + 1) * (below(2 ** 16) / 2 ** 16))][
      below(9)
    ] as number
  }
  switch (type) {
    case 'INT64':
    case 'UNIXTIME_MICROS':
      return [-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n, BigInt(below(200)) - 100n, BigInt.asIntN(64, BigInt(below(2 ** 31)) * 0x1_2345_6789n)][
        below(6)
      ] as bigint
    case 'DECIMAL': {
      const largest = 10n ** BigInt(precision) - 1n
      return [largest, -largest, 0n, 1n, -1n, BigInt(below(9)) - 4n, (largest / 65_537n) * BigInt(below(65_537))][below(7)] as bigint
    }
    case 'STRING':
    case 'VARCHAR': {
      const text = below(2) === 0 ? (texts[below(texts.length)] as string) : `${below(50)}`
      return [...text].slice(0, length).join('')
    }
    case 'BINARY':
      return Buffer.from(Array.from({ length: below(5) }, () => [0, 1, 255, below(256)][below(4)] as number))
    case 'BOOL':
      return below(2) === 0
    case 'FLOAT':
      return [0, -0, 1.5, -1.5, Infinity, -Infinity, 1.401298464324817e-45, Math.fround(below(1000) / 7)][below(8)] as number
    default:
      return [0, -0, 1.5, -1.5, Infinity, -Infinity, Number.MIN_VALUE, Number.MAX_VALUE, below(1000) / 7][below(9)] as number
  }
}

/** As Kudu compares values of a type. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string))
  if (a instanceof Uint8Array) return Buffer.compare(a, b as Uint8Array)
  return a < b ? -1 : a > b ? 1 : 0
}

const keyTypes = [
  ...['INT8', 'INT16', 'INT32', 'INT64', 'UNIXTIME_MICROS', 'DATE', 'STRING', 'VARCHAR(10)', 'BINARY'],
  ...['DECIMAL(9,2)', 'DECIMAL(18,4)', 'DECIMAL(38,10)', 'DECIMAL(3,0)'],
]
export const allTypes = [...keyTypes, 'BOOL', 'FLOAT', 'DOUBLE']

/** A table with some key, some hash levels and some range columns. */
export function randomTable(random: Random, more: readonly string[] = []): KuduTable {
  const { below } = random
  const key = Array.from({ length: 1 + below(3) }, () => keyTypes[below(keyTypes.length)] as string)
  const free = key.map((_, index) => index)
  random.shuffle(free)
  const hash: TableHashLevel[] = []
  for (const position of free) {
    if (below(2) === 0) continue
    const last = hash.at(-1)
    if (last !== undefined && below(2) === 0)
      hash[hash.length - 1] = { ...last, columns: [...last.columns, position].sort((a, b) => a - b) }
    else hash.push({ columns: [position], buckets: 2 + below(4), seed: [0, 42, 2 ** 32 - 1][below(3)] as number })
  }
  const range = below(4) === 0 ? key.map((_, index) => index) : free.slice(0, below(key.length + 1))
  const nullable = more.map((_, index) => key.length + index)
  return tableOf({ types: [...key, ...more], keyColumns: key.length, hash: below(4) === 0 ? [] : hash, range, nullable })
}

/** Values of the columns of the key. */
export const randomKey = (random: Random, { columns, keyColumns }: KuduTable): Value[] =>
  columns.slice(0, keyColumns).map((column) => randomValue(random, column))
