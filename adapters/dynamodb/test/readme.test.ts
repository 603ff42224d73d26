import { valueTypes } from '@rowkey/dynamodb'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { read } from '../../../test/docs/pages.js'
import { withServer } from '../../../test/setup/with-server.js'

const folder = new URL('../../../test/docs/.blocks/dynamodb/', import.meta.url)

withServer('dynalite', ({ endpoint }) => {
  afterAll(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })

  test('the example that needs a server runs as it is, and gives what it says', async () => {
    const [, code = ''] = /```js\n([^]*?)```/.exec(read('adapters/dynamodb/README.md')) ?? []
    const checked = code.replace(/^(.*?)\s*\/\/=> (.*)$/gm, (_, expression: string, output: string) => {
      return `await check(async () => ${expression}, ${JSON.stringify(output)})`
    })
    expect(checked.split('await check(')).toHaveLength(3)
    // As a user would: the client finds its server and credentials in the environment.
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint)
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
    vi.stubEnv('AWS_PROFILE', undefined) // a developer's own comes first
    vi.stubEnv('AWS_SESSION_TOKEN', undefined)
    mkdirSync(folder, { recursive: true })
    const file = fileURLToPath(new URL('example.ts', folder))
    writeFileSync(file, `import { check } from '../../check-output.js'\n${checked}`)
    await import(/* @vite-ignore */ file)
  })
})

test('VAL-1: the table of value types in the docs is that of the code', () => {
  const [, section = ''] = read('docs/spec/value-types.md').split('## DynamoDB')
  const rows = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const wanted = Object.entries(valueTypes).map(([kind, { native, encoding, why }]) => ['', `\`${kind}\``, native, encoding, why, ''])
  expect(rows).toEqual(wanted)
})
