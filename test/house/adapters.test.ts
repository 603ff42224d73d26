import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { storeNames } from '../../packages/cli/src/store-list.js'
import { adapters, everywhere, filesOf, namesOfFiles, unnamedFiles } from './adapters.js'

const names = namesOfFiles()

test.each(adapters)('every file directly in the sources of %s has a name from ARCHITECTURE', (adapter) => {
  expect(filesOf(adapter)).toContain('index.ts')
  expect(unnamedFiles(filesOf(adapter), names)).toEqual([])
})

test.each(adapters)('%s has the files of every adapter', (adapter) => {
  expect(filesOf(adapter)).toEqual(expect.arrayContaining([...everywhere]))
})

test('the command has every adapter in its list', () => {
  expect(storeNames.toSorted()).toEqual(adapters.map((folder) => basename(folder)).toSorted())
})

test('ARCHITECTURE names each file once, and only files that some adapter has', () => {
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !adapters.some((adapter) => filesOf(adapter).includes(name)))).toEqual([])
})

test('a file with a name of its own is found', () => {
  const page = '## Inside an adapter\n\n- `scan.ts`: pages\n- `get.ts`: rows by key\n\n## Next\n\n- `tricks.ts`: not of an adapter\n'
  expect(namesOfFiles(page)).toEqual(['scan.ts', 'get.ts'])
  expect(unnamedFiles(['get.ts', 'tricks.ts', 'scan.ts'], namesOfFiles(page))).toEqual(['tricks.ts'])
})
