import { expect, test } from 'vitest'
import { packages } from './sources.js'
import { testsNamedIn, untested } from './tested.js'

test.each(packages)('%s: a source over 60 lines has a test of its name, or its first line names one', (folder) => {
  expect(untested(folder)).toEqual([])
})

test('tests are named in the first line only', () => {
  expect(testsNamedIn('// Tested by a.test.ts, b.test.ts and test/c.test.ts.\nimport x')).toEqual({
    also: false,
    tests: ['a.test.ts', 'b.test.ts', 'test/c.test.ts'],
  })
  expect(testsNamedIn('// Also tested by a.test.ts.\nimport x')).toEqual({ also: true, tests: ['a.test.ts'] })
  expect(testsNamedIn("import x from 'x'\n// Tested by a.test.ts.\n").tests).toEqual([])
})

test('a long source without a test is found, and a name that leads nowhere', () => {
  const long = 'line\n'.repeat(61)
  const files: Readonly<Record<string, string>> = {
    'p/src/short.ts': 'line\n'.repeat(60),
    'p/src/lost.ts': long,
    'p/src/found.ts': long,
    'p/src/named.ts': `// Tested by found.test.ts.\n${long}`,
    'p/src/more.ts': `// Also tested by found.test.ts.\n${long}`,
    'p/src/astray.ts': '// Tested by gone.test.ts and test/house/gone.test.ts.\n',
  }
  expect(untested('p', Object.keys(files), ['p/test/deep/found.test.ts', 'p/test/more.test.ts'], (path) => files[path] ?? '')).toEqual([
    'p/src/lost.ts: no test of its name, and its first line names none',
    'p/src/astray.ts: gone.test.ts, test/house/gone.test.ts does not exist',
  ])
})

test('the first line names tests in place of the one that a source lacks, or next to it, and says which', () => {
  const texts: Readonly<Record<string, string>> = {
    'p/src/own.ts': '// Also tested by own.test.ts and other.test.ts.\n',
    'p/src/other.ts': '// Tested by own.test.ts.\n',
    'p/src/none.ts': '// Also tested by own.test.ts.\n',
  }
  expect(untested('p', Object.keys(texts), ['p/test/own.test.ts', 'p/test/other.test.ts'], (path) => texts[path] ?? '')).toEqual([
    'p/src/own.ts: its first line names the test of its name, which is found without it',
    'p/src/other.ts: its first line begins with Also tested by, because it has a test of its name',
    'p/src/none.ts: its first line begins with Tested by, because it does not have a test of its name',
  ])
})
