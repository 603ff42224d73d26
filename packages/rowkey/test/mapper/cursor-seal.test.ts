import { isRowkeyError, int32, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { expect, test } from 'vitest'

const Rows = defineTable('rows', { columns: { a: text(), n: int32() }, key: ['a', 'n'] })

async function tableWith(cursorSecret?: string | Uint8Array, adapter = memory()) {
  const db = createMapper(adapter, cursorSecret === undefined ? {} : { cursorSecret })
  await db.ensureTables([Rows])
  const rows = db.repository(Rows)
  await rows.putMany([1, 2, 3, 4].map((n) => ({ a: 'x', n })))
  return rows
}

const codeOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => 'none',
    (error: unknown) => (isRowkeyError(error) ? error.code : error),
  )

test('PAGE-3: a signed cursor works with its secret, also on another server', async () => {
  const adapter = memory()
  const [one, other] = [
    await tableWith('0123456789abcdef', adapter),
    await tableWith(new TextEncoder().encode('0123456789abcdef'), adapter),
  ]
  const page = await one.scan({ a: 'x' }).page({ size: 2 })
  expect(page.cursor).toMatch(/^[\w-]+\.[0-9a-f]{64}$/)
  const next = await other.scan({ a: 'x' }).page({ size: 2, cursor: page.cursor ?? '' })
  expect(next.rows.map(({ n }) => n)).toEqual([3, 4])
})

test('PAGE-3: with a secret, an unsigned, changed or foreign cursor is refused', async () => {
  const rows = await tableWith('0123456789abcdef')
  const unsigned = (await (await tableWith()).scan({ a: 'x' }).page({ size: 2 })).cursor ?? ''
  const foreign = (await (await tableWith('another secret 0')).scan({ a: 'x' }).page({ size: 2 })).cursor ?? ''
  const signed = (await rows.scan({ a: 'x' }).page({ size: 2 })).cursor ?? ''
  const changed = `${signed.slice(0, -1)}${signed.endsWith('0') ? '1' : '0'}`
  for (const cursor of [unsigned, foreign, changed, '', '.', `x.${'0'.repeat(64)}`]) {
    expect(await codeOf(rows.scan({ a: 'x' }).page({ cursor }))).toBe('CURSOR_INVALID')
  }
})

test('ERR-1: an empty secret is refused at once', () => {
  expect(() => createMapper(memory(), { cursorSecret: '' })).toThrow('INVALID_OPTION')
})
