import { bucket, hashPrefix, text, uint32, type TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import { advise } from '../src/index.js'
import { hbase } from './cases.js'
import { table } from './judging.js'

const said = (schema: TableSchema): string | undefined =>
  advise(schema, hbase).findings.find(({ code }) => code === 'unreachable-split')?.evidence
const cut = (salt: object | undefined, splits: readonly string[]): TableSchema =>
  table({ user: text(), item: uint32() }, ['user', 'item'], {
    ...(salt === undefined ? {} : { salt }),
    stores: { hbase: { splits } },
  } as never)
const prefix = hashPrefix({ of: 'user', digits: 4 })

test('no hexadecimal digit lies between the cuts of even characters', () => {
  expect(said(cut(prefix, ['30', '36', '3d', '44', '4b', '52', '58', '5f', '66']))).toBe(
    '6 of 10 regions can have no key: the start to 30, 3d to 44, 44 to 4b, …; keys begin with 30 to 39 and 61 to 66, hexadecimal digits',
  )
})

test.each([
  [prefix, ['32', '34', '36', '38', '61', '63', '65']],
  [prefix, ['3331', '3939', '6130', '6666']],
  [bucket({ of: 'user', count: 16 }), ['04', '08', '0c']],
  [bucket({ of: 'user', count: 16 }), ['0f', '0f80']],
  [bucket({ of: 'user', count: 1000 }), ['0100', '0200', '03e7']],
  [undefined, ['67', '6e', '74']],
])('%o cut at %j has keys everywhere', (salt, splits) => {
  expect(said(cut(salt, splits))).toBeUndefined()
})

test.each([
  [prefix, ['3a', '61'], '1 of 3 regions can have no key: 3a to 61'],
  // After the four digits comes the key, so cuts are possible there.
  [prefix, ['3030303a', '30303061'], '1 of 3 regions can have no key: 3030303a to 30303061'],
  [prefix, ['66666667'], '1 of 2 regions can have no key: 66666667 to the end'],
  [bucket({ of: 'user', count: 16 }), ['08', '10'], '1 of 3 regions can have no key: 10 to the end'],
  [bucket({ of: 'user', count: 1000 }), ['03e7', '03e8'], '1 of 3 regions can have no key: 03e8 to the end'],
  [undefined, ['10', '60'], '1 of 3 regions can have no key: the start to 10'],
])('%o cut at %j has not', (salt, splits, evidence) => {
  expect(said(cut(salt, splits))).toContain(evidence)
})
