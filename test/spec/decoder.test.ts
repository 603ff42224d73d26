import { keyLayout, toHex, type ColumnType } from '@rowkey/codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seed } from '../codec/property.js'
import { anyColumn } from '../codec/random-columns.js'
import { anyLayout, nameOf } from '../codec/random-layouts.js'
import { anyDamage, type Damage } from './damage.js'
import { rowsOf, valueOf } from './page.js'
import { askCodec, askPython, type Question } from './python-decoder.js'

const runs = Number(process.env['ROWKEY_RUNS'] ?? 300)
const sample = <T>(values: fc.Arbitrary<T>, numRuns: number): T[] => fc.sample(values, { numRuns, seed })

/** Keys as `encode` writes them, and broken ones. */
function question(columns: Question['columns'], salts: Question['salts'], keys: readonly object[], damages: readonly Damage[]): Question {
  const layout = keyLayout(columns, { salt: salts })
  const good = keys.map((key) => layout.encode({ ...key }))
  const bad = good.flatMap((key) => damages.map((damaged) => damaged(key)))
  return { layout, columns, salts, keys: [...good, ...bad].map(toHex), good: good.length }
}

/** Values are JSON. */
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const damages = fc.array(anyDamage, { minLength: 10, maxLength: 10 })
const columns = sample(
  anyColumn.chain(({ type, value }) => fc.tuple(fc.constant(type), fc.array(value, { minLength: 3, maxLength: 3 }), damages)),
  Math.max(runs, 500), // so that every type is among them
).map(([type, values, damages]) =>
  question(
    [['c', type]],
    [],
    values.map((c) => ({ c })),
    damages,
  ),
)
// Twice, for most damage to a salted key shows in its salt: with salts, and without.
const layouts = sample(fc.tuple(anyLayout, damages), runs).flatMap(([{ columns: drawn, salts, keys }, damages]) => {
  const columns = drawn.map(({ type }, i) => [nameOf(i), type] as const)
  return [[], ...(salts.length === 0 ? [] : [salts])].map((of) => question(columns, of, keys, damages))
})

const vectors = rowsOf('| type | value | hex |').map(([type, , hex]) => {
  const columns = [['c', valueOf(type as string) as ColumnType]] as const
  return { layout: keyLayout(columns), columns, salts: [], keys: [hex as string], good: 1 }
})

describe('a decoder written from the page alone', () => {
  const questions = [...columns, ...layouts, ...vectors]
  const answers = askPython(questions)

  test('KEY-31: reads what encode wrote, refuses what decode refuses, and gives the same values', { timeout: 60_000 + runs * 100 }, () => {
    expect(answers).toHaveLength(questions.length)
    for (const [i, question] of questions.entries()) {
      const said = askCodec(question)
      if (same(answers[i], said)) continue
      const at = said.findIndex((cells, k) => !same(answers[i]?.[k], cells))
      const asked = { hex: question.keys[at], columns: question.columns.map(([, type]) => type), salts: question.salts }
      expect({ ...asked, cells: answers[i]?.[at] }).toStrictEqual({ ...asked, cells: said[at] })
    }
  })

  test.each([...new Set(columns.map(({ columns }) => columns[0]?.[1].kind))])(
    'was asked about broken keys of %s, and other values',
    (kind) => {
      const damaged = columns.flatMap((question, i) =>
        question.columns[0]?.[1].kind === kind ? (answers[i] ?? []).slice(question.good).map((cells) => cells !== null) : [],
      )
      expect(new Set(damaged)).toEqual(new Set([true, false]))
    },
  )
})
