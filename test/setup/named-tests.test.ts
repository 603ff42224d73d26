import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { read, root } from '../house/sources.js'

// Vitest says nothing of an argument that names no test if another one does, so a renamed test would no longer run.
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
const commands = [...Object.values(scripts), ...read('.ci/run').split('\n')]
const programs = [...commands, read('test/mutants/run.mjs'), read('CONTRIBUTING.md')]

test('the projects of Vitest that programs name exist', async () => {
  const { default: config } = (await import(new URL('../../vitest.config.ts', import.meta.url).href)) as {
    readonly default: { readonly test: { readonly projects: readonly { readonly test: { readonly name: string } }[] } }
  }
  const projects = config.test.projects.map((project) => project.test.name)
  const named = programs.flatMap((text) => [...text.matchAll(/--project['",\s]+([\w-]+)/g)].map(([, name = '']) => name))
  expect(named).toContain('repository')
  expect(named.filter((name) => !projects.includes(name))).toEqual([])
})

test('the tests that commands name exist', () => {
  const files = ['packages', 'adapters', 'clients', 'test'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  const tests = files.filter((path) => path.endsWith('.test.ts'))
  const given = commands.flatMap((command) => /vitest run (.*)/.exec(command)?.[1] ?? [])
  const named = given.flatMap((words) => words.replace(/--project \S+/, '').match(/\S+/g) ?? [])
  expect(named.length).toBeGreaterThan(1)
  expect(named.filter((name) => !tests.some((file) => file.includes(name)))).toEqual([])
})
