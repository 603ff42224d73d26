import type { Capabilities } from 'rowkey/adapter'
import { foldersOf, stores } from '@rowkey/servers'
import { expect, test } from 'vitest'
import { adapters } from '../house/adapters.js'
import { sourceFolderOf } from '../house/sources.js'
import { kitOf } from '../kit/store-kit.js'
import { read } from './pages.js'

test('the list of stores has every adapter, each once, with letters of their own', () => {
  expect(stores.map((store) => foldersOf(store).sources).sort()).toEqual(adapters.map(sourceFolderOf).sort())
  expect(new Set(stores.map(({ letter }) => letter)).size).toBe(stores.length)
})

test('the README says what to install for each store', () => {
  const [, table = ''] = /^\| store +\| package[^]*?\n([^]*?)\n\n/m.exec(read('README.md')) ?? []
  const linked = [...table.matchAll(/\]\(adapters\/([\w-]+)\/README\.md\)/g)].map(([, name]) => name)
  expect(linked).toEqual(stores.flatMap(({ name }) => (name === 'memory' ? [] : [name]))) // memory is in the package rowkey
})

const size = (bytes: number): string =>
  bytes >= Number.MAX_SAFE_INTEGER ? 'any' : bytes === 2 ** 29 ? '512 MiB' : bytes.toLocaleString('en')

function lineOf(name: string, { reverse, conditions, atomic, eventual, limits }: Capabilities): readonly string[] {
  const scopes = { row: 'one row', partition: 'one partition', store: 'any tables' }
  return [
    name,
    reverse ? 'yes' : 'no',
    { none: 'none', presence: 'insert, update', version: 'yes, no columns', columns: 'yes' }[conditions],
    `${scopes[atomic.scope]}, ${atomic.max === Number.MAX_SAFE_INTEGER ? 'any number' : `up to ${atomic.max.toLocaleString('en')}`}${atomic.isolated ? '' : ', not isolated'}`,
    eventual ? 'yes' : 'strong',
    size(limits.partitionBytes),
    size(limits.sortKeyBytes),
  ]
}

test('the guide has the capabilities that the adapters declare', async () => {
  const tables = read('docs/guide/stores.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    )
  const at = tables.findIndex(([, heading]) => heading === 'reverse scans')
  const documented = tables.slice(at + 2, at + 2 + stores.length)
  const adapters = await Promise.all(stores.map(async ({ name }) => (await kitOf(name)).offline()))
  const declared = adapters.map((adapter) => ({ adapter, line: lineOf(adapter.name, adapter.capabilities) }))
  for (const { adapter } of declared) await adapter.close()
  expect(documented).toEqual(declared.map(({ line }) => line))
})
