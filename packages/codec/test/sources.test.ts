import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = new URL('../', import.meta.url)
const files = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const code = (name: string): string => readFileSync(new URL(`src/${name}`, root), 'utf8')
/** Without comments and strings, so that words in texts do not count. */
const bare = (source: string): string =>
  source
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replaceAll(/`(?:[^`\\]|\\.)*`/g, '``')

test('there are sources', () => expect(files.length).toBeGreaterThan(20))

describe.each(files)('%s', (name) => {
  test('imports its neighbours only', () => {
    const statements = code(name).matchAll(/^(?:import|export|\}).*\bfrom (['"])(.*?)\1|\bimport\s*\(?\s*(['"])(.*?)\3/gm)
    const specifiers = [...statements].map((match) => (match[2] ?? match[4]) as string)
    expect(specifiers.filter((specifier) => !/^\.\.?\//.test(specifier))).toEqual([])
    expect(code(name)).not.toMatch(/\brequire\s*\(/)
  })

  test('uses no Node global and no `any`', () => {
    expect(bare(code(name))).not.toMatch(/(?<!readonly |globalThis as NodeGlobals\)\.)\b(?:Buffer|process|global|__dirname|setImmediate)\b/)
    expect(bare(code(name))).not.toMatch(/\bany\b/)
  })
})

test('the package has no dependencies', () => {
  const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as Record<string, unknown>
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies']) expect(manifest[kind]).toBeUndefined()
})
