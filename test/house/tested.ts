import { basename } from 'node:path'
import { existsSync } from 'node:fs'
import { read, root, sourcesOf, testsOf } from './sources.js'

/** A source of more lines has a test that can be found. */
const maxLines = 60

/** The first line of a source with other tests than that of its name, as in `// Tested by order.test.ts and test/oracle/part-1.test.ts.` */
export function testsNamedIn(text: string): { readonly also: boolean; readonly tests: readonly string[] } {
  const [, how = '', named = ''] = /^\/\/ (Tested|Also tested) by (.+)\.\n/.exec(text) ?? []
  return { also: how.startsWith('Also'), tests: named.split(/, | and /).filter((name) => name !== '') }
}

/**
 * Sources of a package or a room whose tests cannot be found, as `path: what is wrong`. The test of `walk.ts` is `walk.test.ts` in the tests of its
 * package or room. If there is none, the first line of the source names its tests. If there is, the first line may name more.
 */
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
    const { also, tests: named } = testsNamedIn(text)
    const ofItsName = `${basename(path, '.ts')}.test.ts`
    const hasOwn = own.has(ofItsName)
    const missing = named.filter((name) => !exists(name))
    if (missing.length > 0) return [`${path}: ${missing.join(', ')} does not exist`]
    if (named.includes(ofItsName)) return [`${path}: its first line names the test of its name, which is found without it`]
    if (named.length > 0 && also !== hasOwn) {
      return [
        `${path}: its first line begins with ${hasOwn ? 'Also tested by, because it has' : 'Tested by, because it does not have'} a test of its name`,
      ]
    }
    const isFound = hasOwn || named.length > 0 || text.split('\n').length - 1 <= maxLines
    return isFound ? [] : [`${path}: no test of its name, and its first line names none`]
  })
}
