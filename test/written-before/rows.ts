import type { TableSchema } from 'rowkey'
import { Ids, Modulo, Numbers, Texts } from './models.js'

/** A row as an application gives it, and when it expires where it is said. */
export interface GivenRow {
  readonly row: Readonly<Record<string, unknown>>
  readonly expiresAt?: Date | null
}

/** When the rows were written, by the clock of the mapper. */
export const writtenAt: number = Date.UTC(2000, 0, 1)
/** When they are read: between the two expiries of `Ids`. */
export const readAt: number = Date.UTC(2001, 0, 1)

const cycle = <T>(list: readonly T[], i: number): T => list[i % list.length] as T
const bytesOf = (...list: number[]): Uint8Array => Uint8Array.from(list)
const many = <T>(count: number, make: (i: number) => T): readonly T[] => Array.from({ length: count }, (_, i) => make(i))

const numbers = many(36, (i) => ({
  row: {
    zone: cycle(['a', 'b\0', 'ç漢😀', ''], i),
    i8: cycle([-128, -1, 0, 127], i >> 1),
    i16: cycle([-32768, 0, 32767], i),
    i32: cycle([null, -(2 ** 31), 2 ** 31 - 1], i),
    i64: cycle([-(2n ** 63n), -1n, 2n ** 63n - 1n], i),
    u8: cycle([0, 255], i),
    u16: cycle([0, 65535], i),
    u32: cycle([0, 2 ** 32 - 1], i),
    u64: cycle([null, 0n, 2n ** 64n - 1n], i),
    f32: cycle([-1.5, 0, 3.25, Infinity], i),
    f64: cycle([-Infinity, -1e-300, 0, NaN, 1e300], i),
    ok: i % 2 === 0,
    price: cycle([null, '-12.500', '0.000', '999999999.999'], i),
    at: new Date(cycle([-1, 0, 1_700_000_000_123], i)),
    us: cycle([-1n, 1_700_000_000_123_456n], i),
    ns: cycle([-1n, 1_700_000_000_123_456_789n], i),
    day: new Date(cycle(['1969-12-31', '2024-02-29'], i)),
    note: cycle([null, '', 'a note', '\0\u{10ffff}'], i),
    big: cycle([null, -(2n ** 63n), 9_007_199_254_740_993n, 5n], i),
    wide: cycle([2n ** 64n - 1n, null, 0n], i),
    ratio: cycle([null, -0, NaN, Infinity, 0.1], i),
    amount: cycle([null, '12345678901234567.125', '-0.001'], i),
    seen: cycle([null, -1n, 1_700_000_000_123_456_789n], i),
    born: cycle([null, new Date('0001-01-01'), new Date('2024-02-29')], i),
    blob: cycle([null, bytesOf(), bytesOf(0, 255, 1)], i),
    doc: cycle([null, { b: [1, null, 'x'], a: {} }, [true], 'text', 0.5], i),
    ...(i % 2 === 0 ? {} : { made: new Date(1_700_000_000_000 + i), sum: -i }),
  },
}))

const texts = many(36, (i) => ({
  row: {
    tenant: cycle(['t1', 't2', '租户'], i),
    shop: cycle(['taobao', 'tmall', 'other'], i >> 2),
    padded: cycle(['', 'a', 'abc', 'abcdef'], i),
    ended: cycle(['', 'x', 'xy'], i >> 1),
    user: cycle(['user1', 'user2', 'ü😀'], i),
    number: cycle([0n, -12n, 120n], i >> 1),
    title: cycle([null, '', 'b', 'b\0', '\u{ffff}', '\u{10000}'], i),
    raw: cycle([bytesOf(), bytesOf(0), bytesOf(0, 255), bytesOf(255, 255)], i),
    code: bytesOf(i, 0, 255 - i),
    last: cycle([null, 'z', ''], i),
    kind: cycle([null, 'a', 'b'], i),
    pad: cycle(['', 'pad'], i),
    flag: i % 3 === 0,
    small: i,
    sent: 1_700_000_000_000 + i,
  },
}))

const ids = many(30, (i) => ({
  row: {
    price: cycle(['-1.50', '0.00', '19.99', '1234567.89'], i),
    name: cycle(['', 'ann', 'Zoë'], i),
    clock: `${cycle(['00000000', 'ffffffff', '12345678'], i)}-1111-1${cycle(['000', 'abc'], i)}-8000-0123456789ab`,
    id: `0${cycle(['0', '1', '7'], i)}ARZ3NDEKTSV4RRFFQ69G5F${String(i).padStart(2, '0')}`,
    other: cycle([null, '00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'], i),
    tag: cycle([null, '12345678-1234-4234-9234-123456789012'], i),
    n: i,
    text: cycle([null, 'x'], i >> 1),
  },
  expiresAt: cycle([null, new Date(Date.UTC(2000, 6, 1)), new Date(Date.UTC(2010, 0, 1)), new Date(Date.UTC(2100, 0, 1))], i),
}))

const modulo = many(30, (i) => ({
  row: {
    seq: BigInt(i - 10),
    part: cycle([-1, 0, 1], i),
    alpha: `alpha ${i}`,
    omega: cycle([null, i], i),
    middle: cycle([null, i], i + 1),
  },
}))

/** How many rows of `Modulo` were written before it grew. */
export const youngRows = 12

const rows = new Map<TableSchema, readonly GivenRow[]>([
  [Numbers, numbers],
  [Texts, texts],
  [Ids, ids],
  [Modulo, modulo.map((given, i) => (i < youngRows ? { row: { ...given.row, middle: null } } : given))],
])

export const rowsOf = (model: TableSchema): readonly GivenRow[] => rows.get(model) as readonly GivenRow[]

/** A row as text in which no two values look alike, and none depends on when or by which store it was written. */
export function textOf(row: object): string {
  const plain = (value: unknown): unknown => {
    if (typeof value === 'bigint') return `${value}n`
    if (typeof value === 'number') return Object.is(value, -0) ? '-0' : Number.isFinite(value) ? value : String(value)
    if (value instanceof Date) return `@${value.toISOString()}`
    if (value instanceof Uint8Array) return `x${Buffer.from(value).toString('hex')}`
    return value
  }
  // `rev` is of the write.
  return JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'rev').map(([name, value]) => [name, plain(value)]))) // prettier-ignore
}
