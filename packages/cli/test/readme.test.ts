import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { project } from './command.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [, code = ''] = /```ts\n([^]*?)```/.exec(readme) ?? []
const models = code.replace(/^.*\/\/=>.*\n/gm, '')
const { rowkey, write } = project({ 'models.ts': models, 'rowkey.config.json': '{ "models": ["models.ts"] }' })

/** The arguments of a command line without variables. */
const argumentsOf = (line: string): readonly string[] =>
  (line.match(/'[^']*'|\S+/g) ?? []).slice(1).map((word) => word.replace(/^'|'$/g, ''))

write('logs.ndjson', [0, 1, 2].map((n) => `{"host":"web-1","at":"2026-01-01T00:00:0${n}.000Z","line":"x"}\n`).join(''))

test('every command of the README prints what is below it', () => {
  const blocks = [...readme.matchAll(/```console\n([^]*?)```/g)].map(([, text = '']) => text)
  expect(blocks.length).toBe(7)
  for (const block of blocks) {
    write('models.ts', block.includes('has changed') ? models.replace('count: 16', 'count: 32') : models)
    for (const command of block.split(/^\$ (?=rowkey)/m).filter((text) => text !== '')) {
      const [line = '', ...output] = command.split('\n')
      const { stdout, stderr } = rowkey(argumentsOf(line))
      expect(`${stdout}${stderr}`, line).toBe(output.join('\n'))
    }
  }
})

test('the table of commands is that of the help', () => {
  const listed = [...readme.matchAll(/^\| `([a-z-]+)(?=[ `,])/gm)].map(([, name]) => name)
  const helped = rowkey(['--help'])
    .stdout.match(/^ {2}[a-z][a-z-]*(?= )/gm)
    ?.map((name) => name.trim())
  expect(listed).toEqual(helped)
})
