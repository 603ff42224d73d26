import type { Random } from '../measure/random.js'

/** What a column holds. `integer`: within 2^53. `instant`: milliseconds as a number. */
export type Kind = 'text' | 'integer' | 'int32' | 'uint32' | 'instant' | 'float' | 'flag' | 'id' | 'bigint' | 'bytes' | 'nullable flag'

export interface Column {
  readonly name: string
  readonly kind: Kind
  /** Newest or greatest first; rowkey only, the others have no such thing. */
  readonly desc?: boolean
}

export type Cell = string | number | bigint | boolean | Uint8Array | null

/** The values of one key, by column. */
export type Cells = readonly Cell[]

export interface Workload {
  readonly id: string
  readonly title: string
  readonly columns: readonly Column[]
  /** The column whose md5 stands in front as four hex digits. */
  readonly salt?: string
  /** Whom to compare decoding with, where ordered-binary gets it wrong. */
  readonly decodeBase?: string
  cells(random: Random): Cells
}

const letters = Array.from('abcdefghijklmnopqrstuvwxyz0123456789-')
const unicode = ['a', 'Z', 'k', '9', 'x', 'y', 'é', 'ß', '漢', '字', '\uffee', '\u{1f600}', '\u{1f680}', '\u{10000}', '\0']
const mixed = [...letters, ...Array.from('éüß漢字日本'), '\u{1f600}']

const text = (name: string): Column => ({ name, kind: 'text' })
const order: Column = { name: 'order', kind: 'integer', desc: true }

const instant = (random: Random): number => 1.7e12 + random.integer(1e11)
const number = (random: Random): number => random.integer(2 ** 50)

export const workloads: readonly Workload[] = [
  {
    id: 'W1',
    title: 'host, event, instant',
    columns: [text('host'), text('event'), { name: 'at', kind: 'instant', desc: true }],
    cells: (random) => [`host-${random.word(7)}`, `ev-${random.word(5)}`, instant(random)],
  },
  { id: 'W2', title: 'user, order', columns: [text('user'), order], cells: (random) => [random.word(16), number(random)] },
  {
    id: 'W3',
    title: 'prefix, user, order',
    columns: [text('prefix'), text('user'), order],
    cells: (random) => [random.text(4, Array.from('0123456789abcdef')), random.word(16), number(random)],
  },
  {
    id: 'W4',
    title: 'two texts of 14 characters beyond ASCII and NUL, integer',
    columns: [text('first'), text('second'), { name: 'number', kind: 'integer', desc: true }],
    cells: (random) => [random.text(14, unicode), random.text(14, unicode), random.integer(1e6)],
  },
  {
    id: 'W5',
    title: '16 bytes, float',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'score', kind: 'float' },
    ],
    decodeBase: 'fdb-tuple',
    cells: (random) => [random.bytes(16), (random.fraction() - 0.5) * 1e9],
  },
  {
    id: 'W8',
    title: 'eight columns of six kinds',
    columns: [
      text('tenant'),
      text('region'),
      { name: 'level', kind: 'uint32' },
      { name: 'active', kind: 'flag' },
      { name: 'at', kind: 'instant', desc: true },
      { name: 'delta', kind: 'int32' },
      { name: 'score', kind: 'float' },
      text('trace'),
    ],
    cells: (random) => [
      random.word(8),
      random.pick(['eu-west', 'us-east', 'ap-south']),
      random.integer(2 ** 32),
      random.fraction() < 0.5,
      instant(random),
      random.integer(2 ** 32) - 2 ** 31,
      (random.fraction() - 0.5) * 1e6,
      random.word(12),
    ],
  },
  {
    id: 'WL',
    title: 'two ASCII texts of 200 characters',
    columns: [text('path'), text('agent')],
    cells: (random) => [random.text(200, letters), random.text(200, letters)],
  },
  {
    id: 'WX',
    title: 'two texts of 120 characters, one in six beyond ASCII',
    columns: [text('title'), text('place')],
    cells: (random) => [random.text(120, mixed), random.text(120, mixed)],
  },
  {
    id: 'WM',
    title: 'user, order after four digits of md5(user)',
    columns: [text('user'), order],
    salt: 'user',
    cells: (random) => [random.word(16), number(random)],
  },
]
