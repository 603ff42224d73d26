import { expect, test } from 'vitest'
import { branchesOnKinds } from './kinds.js'
import { packages, sourcesOf } from './sources.js'

test('no code above the codec branches on the kind of a column type or of a salt', () => {
  expect(branchesOnKinds(packages.flatMap(sourcesOf))).toEqual([])
})

const planted = `
import type { ColumnType, Default, Salt } from 'rowkey/codec'
import type { Mutation, Outcome, TableSchema } from 'rowkey/adapter'
type Kind = ColumnType['kind']
export function branches(type: ColumnType, { salt, columns }: TableSchema, given: unknown): unknown {
  if (type.kind === 'json') return 1
  if ('text' !== type.inner?.kind) return 2
  switch (columns[0]?.type.kind) { case 'int8': return 3 }
  const { kind } = type
  if (kind === 'ulid') return 4
  const copy = kind
  const table: Partial<Record<Kind, number>> = {}
  if (new Set<string>().has(copy)) return table[copy]
  const wanted: readonly Kind[] = ['date']
  if (wanted.includes(type.kind) || kind.startsWith('int')) return table[given as Kind]
  return salt.some((level: Salt) => level.kind === 'modulo') || salt.map(({ kind }) => kind === 'hash')
}
export function others(mutation: Mutation, outcome: Outcome, initial: Default, type: ColumnType): unknown {
  if (mutation.kind === 'put' || outcome.kind === 'applied' || initial.kind === 'ulid' || initial.kind !== 'constant') return 1
  const form = { form: 'text' as 'text' | 'bytes' }
  const { form: shape } = form
  const storage = 'int8' as 'int8' | 'text'
  return form.form === 'text' || shape === 'text' || storage === 'text' || type.ordered || \`a \${type.kind}\`
}
`

test('a branch is found by the type of what it decides on, however it is written; other kinds are not meant', () => {
  const path = 'packages/rowkey/src/mapper/planted.ts'
  expect(branchesOnKinds([path], (file) => (file === path ? planted : undefined)).map((each) => each.replace(`${path}: `, ''))).toEqual([
    "type.kind === 'json'",
    "'text' !== type.inner?.kind",
    "switch (columns[0]?.type.kind) { case 'int8': return 3 }",
    "kind === 'ulid'",
    'new Set<string>().has(copy)',
    'table[copy]',
    'wanted.includes(type.kind)',
    "kind.startsWith('int')",
    'table[given as Kind]',
    "level.kind === 'modulo'",
    "kind === 'hash'",
  ])
})
