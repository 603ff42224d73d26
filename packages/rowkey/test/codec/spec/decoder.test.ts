import { describe, expect, test } from 'vitest'
import { askCodec, askPython, whyNoPython } from './python-decoder.js'
import { columns, questions, timeout } from './questions.js'

const why = whyNoPython()
const required = process.env['ROWKEY_REQUIRE_PYTHON'] === '1'
if (why !== undefined && !required) console.log(`the decoder in Python: skipped, because ${why}`)

test('a Python that does not exist or is too old is told', () => {
  expect(whyNoPython('no-such-python')).toBe('there is no no-such-python on the PATH')
  expect(whyNoPython('false')).toBe('the false on the PATH is older than 3.9')
  if (required) expect(why, 'ROWKEY_REQUIRE_PYTHON is set').toBeUndefined()
})

describe.skipIf(why !== undefined)('a decoder written from the page alone', () => {
  const answers = why === undefined ? askPython(questions) : []

  test('KEY-31: reads what encode wrote, refuses what decode refuses, and gives the same values', { timeout }, () => {
    expect(answers).toHaveLength(questions.length)
    for (const [i, question] of questions.entries()) {
      const said = askCodec(question)
      expect(said.slice(0, question.good)).not.toContain(null)
      const at = said.findIndex((cells, k) => !same(cells, answers[i]?.[k]))
      if (at < 0) continue
      const asked = { hex: question.keys[at], columns: question.columns.map(([, type]) => type), salts: question.salts }
      expect({ ...asked, cells: answers[i]?.[at] }).toStrictEqual({ ...asked, cells: said[at] })
    }
  })

  const kinds = new Set(columns.map(({ columns }) => columns[0]?.[1].kind))
  test.each([...kinds])('was asked about broken keys of %s, and such that are others', (kind) => {
    const broken = columns.flatMap(({ columns, good }, i) => (columns[0]?.[1].kind === kind ? (answers[i] ?? []).slice(good) : []))
    expect(new Set(broken.map((cells) => cells === null))).toEqual(new Set([true, false]))
  })
})

/** Cells are JSON. */
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
