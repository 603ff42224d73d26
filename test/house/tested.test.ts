import { expect, test } from 'vitest'
import { packages } from './sources.js'
import { testsNamedIn, untested } from './tested.js'

test.each(packages)('%s: a source over 60 lines has a test of its name, or its first line names one', (folder) => {
  expect(untested(folder)).toEqual([])
})

test('tests are named in the first line only', () => {
  expect(testsNamedIn('// Tested by a.test.ts, b.test.ts and test/c.test.ts.\nimport x')).toEqual([
    'a.test.ts',
    'b.test.ts',
    'test/c.test.ts',
  ])
  expect(testsNamedIn("import x from 'x'\n// Tested by a.test.ts.\n")).toEqual([])
})

test('a long source without a test is found, and a name that leads nowhere', () => {
  const long = 'line\n'.repeat(61)
  const files: Readonly<Record<string, string>> = {
    'p/src/short.ts': 'line\n'.repeat(60),
    'p/src/lost.ts': long,
    'p/src/found.ts': long,
    'p/src/named.ts': `// Tested by found.test.ts.\n${long}`,
    'p/src/astray.ts': '// Tested by gone.test.ts and test/house/gone.test.ts.\n',
  }
  expect(untested('p', Object.keys(files), ['p/test/deep/found.test.ts'], (path) => files[path] ?? '')).toEqual([
    'p/src/lost.ts: no test of its name, and its first line names none',
    'p/src/astray.ts: gone.test.ts, test/house/gone.test.ts does not exist',
  ])
})
