import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The names in the lists of an index. */
function namesOf(folder: string): readonly string[] {
  const index = readFileSync(new URL(`../../packages/rowkey/src${folder}/index.ts`, import.meta.url), 'utf8')
  return [...index.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) => list.match(/(?!type )\b\w+(?= *,|\s*$)/g) ?? [])
}

test('rowkey has every function of its mapper, and what its methods take and return', () => {
  const own = namesOf('')
  const all = namesOf('/mapper')
  // Parts of types that nobody writes down; test/types/declarations.test.ts shows that declarations do not need them.
  const parts = [
    'AddressOf',
    'CopyOptions',
    'CopyProgress',
    'CopySource',
    'CopyTarget',
    'DefinitionOf',
    'Located',
    'Operations',
    'MapperErrorDetails',
    'OperationOptions',
    'PurgeOptions',
    'RetryOptions',
    'TableDigest',
  ]
  const modules = ['ClassValidationError', 'ClassValidator'] // the module class-validator is handed in as it is
  expect(all).toEqual(expect.arrayContaining(['createMapper', 'Mapper', 'ReadAll', 'Written', ...parts, ...modules]))
  expect(all.filter((name) => !own.includes(name) && !parts.includes(name) && !modules.includes(name))).toEqual([])
})

test('the root of rowkey stays small', () => {
  expect(namesOf('').length).toBeLessThanOrEqual(125)
})
