import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { foldersIn, packages, read, rooms, root, sourcesOf } from './sources.js'

interface Rules {
  readonly layers: Readonly<Record<string, readonly string[]>>
  readonly adapterLayer: readonly string[]
  readonly clientLayer: readonly string[]
}
const { layers, adapterLayer, clientLayer } = (await import(new URL('../../.dependency-cruiser.mjs', import.meta.url).href)) as Rules

/** A room, a package, or an entry of `rowkey`; a client is any, and so is an adapter that is not named. */
function short(folder: string): string {
  if (folder.startsWith('clients/')) return 'client'
  if (folder === 'adapters/[^/]+') return 'adapter'
  if (folder === 'packages/codec') return '@rowkey/codec'
  const [, , , room, entry] = folder.split('/')
  if (room?.endsWith('.ts') === true) return `rowkey/${room.replace('.ts', '')}`
  return entry !== undefined ? `${room ?? ''}/${entry}` : (room ?? folder.split('/')[1] ?? '')
}

test('the layers of ARCHITECTURE are those that .dependency-cruiser.mjs holds', () => {
  const [table = ''] = /^\| room or package [^]*?\n\n/m.exec(read('ARCHITECTURE.md')) ?? []
  const lines = table.matchAll(/^\| ([\w@/]+) +\| ([\w@/, ]+?) +\|/gm)
  const told = new Map([...lines].map(([, name = '', imports = '']) => [name, imports.split(', ').sort()]))
  const held = Object.entries({ ...layers, 'adapters/adapter': adapterLayer, 'clients/client': clientLayer }).map(
    ([folder, below]) => [short(folder), below.length === 0 ? ['nothing'] : below.map(short).sort()] as const,
  )
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(held))
  expect(Object.keys(layers).sort()).toEqual([...foldersIn('packages'), ...rooms].sort())
})

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s: files that are named without their folder exist', (page) => {
  const files = new Set([...packages.flatMap(sourcesOf), ...readdirSync(root)].map((path) => basename(path)))
  const named = [...read(page).matchAll(/`([\w.-]+\.(?:ts|mjs|json|md))`/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !files.has(name))).toEqual([])
  expect(named.length).toBeGreaterThan(0)
})

test('each example has a command', () => {
  const examples = foldersIn('examples/src').filter((folder) => readdirSync(root + folder).includes('main.ts')).map((folder) => basename(folder)) // prettier-ignore
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const run = Object.values(scripts).flatMap((script) => /node examples\/dist\/([\w-]+)\/main\.js/.exec(script)?.[1] ?? [])
  expect(run.sort()).toEqual(examples.sort())
})
