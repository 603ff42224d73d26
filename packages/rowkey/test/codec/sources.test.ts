import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bareSource, nodeGlobal } from '../../../../test/kit/bare-source.js'

const root = new URL('../../src/codec/', import.meta.url)
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const code = (name: string): string => readFileSync(new URL(name, root), 'utf8')

test('there are sources', () => expect(files.length).toBeGreaterThan(20))

describe.each(files)('%s', (name) => {
  test('imports its neighbours only', () => {
    const statements = code(name).matchAll(/^(?:import|export|\}).*\bfrom (['"])(.*?)\1|\bimport\s*\(?\s*(['"])(.*?)\3/gm)
    const specifiers = [...statements].map((match) => (match[2] ?? match[4]) as string)
    expect(specifiers.filter((specifier) => !/^\.\.?\//.test(specifier))).toEqual([])
    expect(code(name)).not.toMatch(/\brequire\s*\(/)
  })

  test('uses no Node global and no `any`', () => {
    expect(bareSource(code(name))).not.toMatch(nodeGlobal)
    expect(bareSource(code(name))).not.toMatch(/\bany\b/)
  })
})
