import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The names in the lists of a package's index. */
function namesOf(name: string): readonly string[] {
  const index = readFileSync(new URL(`../../packages/${name}/src/index.ts`, import.meta.url), 'utf8')
  return [...index.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) => list.match(/(?!type )\b\w+(?= *,|\s*$)/g) ?? [])
}

test('rowkey has everything that @rowkey/mapper exports', () => {
  const [own, all] = [namesOf('rowkey'), namesOf('mapper')]
  expect(all).toEqual(expect.arrayContaining(['createMapper', 'Mapper', 'FullScan', 'Written']))
  expect(all.filter((name) => !own.includes(name))).toEqual([])
})
