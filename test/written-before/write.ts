import { createMapper, type Adapter } from 'rowkey'
import { expect } from 'vitest'
import { models, Modulo, Young } from './models.js'
import { rowsOf, writtenAt, youngRows } from './rows.js'

/** Writes all rows, as it was done for the files in `golden`. */
export async function writeRows(adapter: Adapter): Promise<void> {
  const db = createMapper(adapter, { clock: () => writtenAt })
  await db.ensureTables(models.map((model) => (model === Modulo ? Young : model)))
  for (const model of models) {
    const table = db.repository(model)
    if (model === Modulo) {
      for (const { row } of rowsOf(model).slice(0, youngRows)) {
        const { middle: _, ...young } = row
        await db.repository(Young).put(young as never)
      }
      await db.ensureTables([Modulo])
    }
    for (const { row, expiresAt } of rowsOf(model).slice(model === Modulo ? youngRows : 0)) {
      await table.put(row, expiresAt === undefined ? {} : { expires: expiresAt })
    }
  }
}

/** What two stores hold, but for what is drawn when it is written: the ids of tables, and versions. */
export function expectSameBytes(written: object, golden: object): void {
  expect(comparable(written)).toEqual(comparable(golden))
}

function comparable(stored: object): unknown {
  const ids: string[] = []
  const decoded = mapped(stored, (text) => {
    const isHex = /^0x([0-9a-f]{2})*$/.test(text)
    const isBase64 = !isHex && text.length % 4 === 0 && /^[\w+/]*=*$/.test(text)
    const plain = isHex || isBase64 ? Buffer.from(isHex ? text.slice(2) : text, isHex ? 'hex' : 'base64').toString('latin1') : text
    ids.push(...Array.from(plain.matchAll(/"id":"([0-9a-f-]{36})"/g), ([, id]) => id as string))
    return plain
  })
  // The first ten characters of a ULID are the time, the others are drawn.
  return mapped(decoded, (text) =>
    ids.reduce((left, id) => left.replaceAll(id, '<id>'), text).replace(/00VHNCZB00[0-9A-Z]{16}/g, '<version>'),
  )
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapped(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapped(each, change)]))
}
