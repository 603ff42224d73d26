import { writeMany } from '#store/write'
import { expect, test } from 'vitest'
import { refusalOf } from '../../../../test/kit/refusal.js'
import { applied, insert, put, remove, scene, sending, update } from './write-sending.js'

const all = Array.from({ length: 10 }, () => applied)
const answersFor = (...sizes: number[]) => sizes.map((size) => all.slice(0, size))

test('WRITE-12: of unconditional writes of one row that follow each other the last is sent', async () => {
  const { writer, batches } = scene({ answers: answersFor(2) })
  await writeMany(writer, [put('a'), put('b'), remove('a'), put('b'), remove('a')], sending)
  expect(batches).toEqual([['delete p/a', 'put p/b']])
})

test('WRITE-12: where conditions look at the row, its writes go one after the other', async () => {
  const { writer, batches } = scene({ answers: answersFor(2, 1, 1, 1) })
  await writeMany(writer, [remove('a'), insert('a'), insert('b'), update('a'), put('a'), put('a')], sending)
  expect(batches).toEqual([['delete p/a', 'insert p/b'], ['insert p/a'], ['update p/a'], ['put p/a']])
})

test('WRITE-12: one that fails does not stop those behind it, and each has its own outcome', async () => {
  const { writer } = scene({ answers: [[{ kind: 'conflict' }, applied], [{ kind: 'missing' }], [applied]] })
  const { code, details, message } = await refusalOf(() => writeMany(writer, [insert('a'), put('b'), update('a'), put('a')], sending))
  expect(code).toBe('WRITE_INCOMPLETE')
  expect(message).toContain('2 of 4 writes')
  const outcomes = details['outcomes'] as { index: number; kind: string; cause: { code: string } }[]
  expect(outcomes.map(({ index, kind, cause }) => [index, kind, cause.code])).toEqual([
    [0, 'conflict', 'ROW_EXISTS'],
    [2, 'missing', 'ROW_NOT_FOUND'],
  ])
})

test('WRITE-12: rows of two tables are two rows', async () => {
  const { writer, batches } = scene({ answers: answersFor(2) })
  const { renameTable } = await import('#model')
  const other = put('a')
  await writeMany(writer, [put('a'), { ...other, schema: renameTable(other.schema, 'other') }], sending)
  expect(batches).toEqual([['put p/a', 'put p/a']])
})
