import { describe, expect, test } from 'vitest'
import { askCodec, askPython } from './python-decoder.js'
import { columns, questions, timeout } from './questions.js'

describe('a decoder written from the page alone', () => {
  const answers = askPython(questions)

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
