import fc from 'fast-check'

/** Names that mean something to JavaScript, to libraries or to rowkey. */
const names = [
  '__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', 'toJSON', 'then', 'length', 'name', 'default', 'inspect',
  'polluted', 'gte', 'in', 'startsWith', 'isNull', 't', 'n', 's', 'c', 'big', 'at', 'data', 'rev', 'rk_expires', '0', '',
] // prettier-ignore

const texts = [
  '',
  'x',
  'ann',
  '5',
  'NaN',
  '\u0000',
  '\ud800',
  '\u202e',
  '\r\nX: y',
  '1.5',
  '-1',
  'AgAA',
  '30d',
  'desc',
  '2026-01-01T00:00:00Z',
  'x'.repeat(2000),
]
const numbers = [0, -0, 1, 1.5, -1, 255, 256, 2 ** 32, 2 ** 53, -(2 ** 53), 1e21, 1e308, Number.MAX_SAFE_INTEGER]

const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.constantFrom(...numbers),
  fc.constantFrom(...texts),
  fc.string({ maxLength: 5 }),
)

const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, fc.string({ maxLength: 4 }))

/** As the text that a client sends, because an object literal cannot have an own property called __proto__. */
const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 4, arbitrary: scalar.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join()}]`) },
    {
      weight: 3,
      arbitrary: fc
        .array(fc.tuple(name, tie('value')), { maxLength: 4 })
        .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`),
    },
  ),
})).value

/** Data that is nested deeper than any call stack allows, in short, because a counterexample has to be printed. */
interface Deep {
  readonly levels: number
  /** A list, or an object with this property. */
  readonly within: string | null
}

const deep: fc.Arbitrary<Deep> = fc.record({ levels: fc.constantFrom(900, 1001, 20_000), within: fc.option(name) })

/** What a hostile client may send. */
export type Hostile = string | Deep
export const hostileText: fc.Arbitrary<string> = jsonText
export const hostile: fc.Arbitrary<Hostile> = fc.oneof({ weight: 20, arbitrary: jsonText }, { weight: 1, arbitrary: deep })

/** What JSON.parse makes of it. */
export function parsed(sent: Hostile): unknown {
  if (typeof sent === 'string') return JSON.parse(sent) as unknown
  const [open, close] = sent.within === null ? ['[', ']'] : [`{${JSON.stringify(sent.within)}:`, '}']
  return JSON.parse(`${open.repeat(sent.levels)}1${close.repeat(sent.levels)}`) as unknown
}
