import { expect, test } from 'vitest'
import { everywhere, extraFiles, filesOf, servers, unequalFiles } from './adapters.js'
import { foldersIn } from './sources.js'

const files = Object.fromEntries(servers.map((adapter) => [adapter, filesOf(adapter)]))

test('adapters of servers have source files of the same names, but for those that say why', () => {
  expect(unequalFiles(files, extraFiles)).toEqual([])
})

test('an extra file exists, is not in all adapters, and says why', () => {
  for (const [extra, reason] of Object.entries(extraFiles)) {
    const [adapter = '', file = ''] = extra.split(': ')
    expect(filesOf(adapter), extra).toContain(file)
    expect(servers.every((each) => filesOf(each).includes(file)), extra).toBe(false) // prettier-ignore
    expect(reason.length, extra).toBeGreaterThan(20)
  }
})

test.each(foldersIn('adapters'))('%s has the files of every adapter', (adapter) => {
  expect(filesOf(adapter)).toEqual(expect.arrayContaining([...everywhere]))
})

test('a file that one adapter lacks is found', () => {
  const three = { a: ['one.ts', 'own.ts'], b: ['one.ts', 'two.ts'], c: ['one.ts', 'two.ts'] }
  expect(unequalFiles(three, { 'a: own.ts': 'because' })).toEqual(['b: two.ts', 'c: two.ts'])
  expect(unequalFiles(three, {})).toEqual(['a: own.ts', 'b: two.ts', 'c: two.ts'])
})
