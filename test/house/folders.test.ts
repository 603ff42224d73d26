import { expect, test } from 'vitest'
import { mutualImports } from './folders.js'
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
