import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { project } from './command.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const guide = readFileSync(new URL('../../../docs/guide/shell.md', import.meta.url), 'utf8')
const [, code = ''] = /```ts\n([^]*?)```/.exec(readme) ?? []
const models = code.replace(/^.*\/\/=>.*\n/gm, '')
const files = { 'models.ts': models, 'rowkey.config.json': '{ "models": ["models.ts"] }' }
const line = (host: string, n: number, text: string): string =>
  `${JSON.stringify({ host, at: new Date(Date.UTC(2026, 0, 1, 0, 0, n)), line: text })}\n`
const ofReadme = project({ ...files, 'logs.ndjson': [0, 1, 2].map((n) => line('web-1', n, 'x')).join('') })
const ofGuide = project({
  ...files,
  'logs.ndjson': Array.from({ length: 60 }, (_, n) => line(`web-${(n % 3) + 1}`, n, `request ${n}`)).join(''),
  'wrong.ndjson': line('web-1', 0, 'x') + line('web-1', 1, 'x').replace(/2026.*Z/, 'yesterday'),
})

/** The arguments of a command line without variables. */
const argumentsOf = (command: string): readonly string[] =>
  (command.match(/'[^']*'|\S+/g) ?? []).slice(1).map((word) => word.replace(/^'|'$/g, ''))

test.each([
  { name: 'README.md', page: readme, count: 7, shop: ofReadme, env: {} },
  { name: 'docs/guide/shell.md', page: guide, count: 5, shop: ofGuide, env: { ROWKEY_URL: 'lmdb:data' } },
])('every command of $name prints what is below it', async ({ page, count, shop, env }) => {
  const blocks = [...page.matchAll(/```console\n([^]*?)```/g)].map(([, text = '']) => text)
  expect(blocks.length).toBe(count)
  for (const block of blocks) {
    shop.write('models.ts', block.includes('has changed') ? models.replace('count: 16', 'count: 32') : models)
    for (const command of block.split(/^\$ (?=rowkey)/m).filter((text) => text !== '')) {
      const [first = '', ...output] = command.split('\n')
      const { stdout, stderr } = await shop.rowkey(argumentsOf(first), { env })
      expect(`${stdout}${stderr}`, first).toBe(output.join('\n'))
    }
  }
})

test('the models of the guide page are those of the README', () => {
  expect(guide).toContain(`\`\`\`ts\n${code}\`\`\``)
})

test('the table of commands is that of the help', async () => {
  const listed = [...readme.matchAll(/^\| `([a-z][a-z-]*)(?=[ `,])/gm)].map(([, name]) => name)
  const helped = (await ofReadme.rowkey(['--help'])).stdout.match(/^ {2}[a-z][a-z-]*(?= )/gm)?.map((name) => name.trim())
  expect(listed).toEqual(helped)
})
