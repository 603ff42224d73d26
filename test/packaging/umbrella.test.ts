import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The names in the lists of an index. */
const namesOf = (folder: string): readonly string[] => namesIn(`${folder}/index.ts`)

function namesIn(path: string): readonly string[] {
  const index = readFileSync(new URL(`../../packages/rowkey/src${path}`, import.meta.url), 'utf8')
  return [...index.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) => list.match(/(?!type )\b\w+(?= *,|\s*$)/g) ?? [])
}

test('rowkey has every function of its mapper, and what its methods take and return', () => {
  const own = namesOf('')
  const all = namesOf('/mapper')
  // Parts of types that nobody writes down; exported-types.test.ts has the rule.
  const parts = ['AddressOf', 'ClassValidationError', 'CopySource', 'CopyTarget', 'DefinitionOf', 'Located', 'MapperErrorDetails']
  const options = namesIn('/mapper/options.ts')
  expect(own).toContain('Options')
  expect(options).toEqual(expect.arrayContaining(['PutOptions', 'CopyOptions']))
  expect(all).toEqual(expect.arrayContaining(['createMapper', 'Mapper', 'ReadAll', 'Written', ...parts]))
  expect(all.filter((name) => !own.includes(name) && !parts.includes(name))).toEqual([])
})

test('the root of rowkey stays small', () => {
  expect(namesOf('').length).toBeLessThanOrEqual(115)
})
