import { expect, test } from 'vitest'
import { adapters } from './adapters.js'
import { circleOfRooms, mutualImports } from './folders.js'
import { packages } from './sources.js'

test('no two folders of a package import each other', () => {
  expect(packages.flatMap((folder) => mutualImports(folder))).toEqual([])
})

test('two folders that import each other are found, also one in the other; the root of the sources is no folder', () => {
  const imports: Readonly<Record<string, readonly string[]>> = {
    'p/src/index.ts': ['p/src/a/one.ts', 'p/src/b/two.ts'],
    'p/src/a/one.ts': ['p/src/b/two.ts', 'p/src/index.ts', 'p/src/a/three.ts'],
    'p/src/b/two.ts': ['p/src/a/three.ts'],
    'p/src/a/three.ts': ['p/src/a/in/four.ts'],
    'p/src/a/in/four.ts': ['p/src/a/one.ts'],
  }
  expect(mutualImports('p', Object.keys(imports), (file) => imports[file] ?? [])).toEqual(['p: a ⇄ b', 'p: a ⇄ a/in'])
})

test.each(adapters)('%s: its folders and the files next to them import each other without a circle', (adapter) => {
  expect(circleOfRooms(adapter)).toEqual([])
})

test('a folder that imports a file next to it, which imports the folder by way of another, is a circle', () => {
  const imports: Record<string, readonly string[]> = {
    'p/src/index.ts': ['p/src/table.ts'],
    'p/src/table.ts': ['p/src/keys.ts', 'p/src/client/calls.ts'],
    'p/src/keys.ts': ['p/src/values.ts'],
    'p/src/values.ts': ['p/src/client/bytes.ts'],
    'p/src/client/bytes.ts': [],
    'p/src/client/calls.ts': ['p/src/client/bytes.ts'],
  }
  const circle = (): readonly string[] => circleOfRooms('p', Object.keys(imports), (file) => imports[file] ?? [])
  expect(circle()).toEqual([])
  imports['p/src/client/calls.ts'] = ['p/src/keys.ts']
  expect(circle()).toEqual(['keys.ts', 'values.ts', 'client', 'keys.ts'])
})
