import { expect, test } from 'vitest'
import { TableColumns } from '../src/client/table-columns.js'

const catalog = (id: string, ...valueColumns: string[]) => ({ format: 1, schema: {} as never, valueColumns, store: { id } }) as const

test('columns are only ever added to a table, and another table of its name has its own', async () => {
  const columns = new TableColumns(() => Promise.reject(new Error('not read')))
  columns.learn(catalog('first', 'a', 'b'))
  columns.learn(catalog('first', 'a'))
  expect(await columns.all()).toEqual(['a', 'b'])
  columns.learn(catalog('second', 'c', 'd'))
  expect(await columns.all()).toEqual(['c', 'd'])
  columns.learn(catalog('second', 'c'))
  expect(await columns.all()).toEqual(['c', 'd'])
})

test('a catalog that cannot be read is an error for all who wait, and is read again', async () => {
  const answers = [Promise.reject(new Error('unreadable')), Promise.resolve(catalog('first', 'a'))]
  const columns = new TableColumns(() => answers.shift() as Promise<ReturnType<typeof catalog>>)
  const both = await Promise.allSettled([columns.all(), columns.all()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await columns.all()).toEqual(['a'])
})
