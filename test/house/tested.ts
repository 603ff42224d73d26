import { basename } from 'node:path'
import { existsSync } from 'node:fs'
import { read, root, sourcesOf, testsOf } from './sources.js'

/** A source of more lines has a test that can be found. */
const maxLines = 60

/** The tests that the first line of a source names, as in `// Tested by order.test.ts and test/oracle/part-1.test.ts.` */
export function testsNamedIn(text: string): readonly string[] {
  const [, named = ''] = /^\/\/ Tested by (.+)\.\n/.exec(text) ?? []
  return named.split(/, | and /).filter((name) => name !== '')
}

/** Sources of a package for which nobody can tell where their tests are, and tests that are named and do not exist, as `path: what is wrong`. */
export function untested(
  folder: string,
  sources: readonly string[] = sourcesOf(folder),
  tests: readonly string[] = testsOf(folder),
  textOf: (path: string) => string = read,
): readonly string[] {
  const own = new Set(tests.map((path) => basename(path)))
  const exists = (name: string): boolean => (name.includes('/') ? existsSync(root + name) : own.has(name))
  return sources.flatMap((path) => {
    const text = textOf(path)
    const named = testsNamedIn(text)
    const missing = named.filter((name) => !exists(name))
    if (missing.length > 0) return [`${path}: ${missing.join(', ')} does not exist`]
    const isFound = named.length > 0 || own.has(`${basename(path, '.ts')}.test.ts`) || text.split('\n').length - 1 <= maxLines
    return isFound ? [] : [`${path}: no test of its name, and its first line names none`]
  })
}
