import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { read } from '../../../test/docs/pages.js'
import { clientsOf } from './clients.js'
import { withKudu } from './with-kudu.js'

withKudu('kudu', () => {
  const folder = new URL('../../../test/docs/.blocks/kudu-client/', import.meta.url)
  const { server } = clientsOf()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('the example that needs a server runs as it is, and gives what it says', async () => {
    const [, code = ''] = /```js\n([^]*?)```/.exec(read('clients/kudu/README.md')) ?? []
    const here = code.replace('127.0.0.1:7051', server().connection.masters[0] as string)
    const checked = here.replace(/^(.*?)\s*\/\/=> (.*)$/gm, (_, expression: string, output: string) => {
      return `await check(async () => ${expression}, ${JSON.stringify(output)})`
    })
    expect(checked.split('await check(')).toHaveLength(5)
    mkdirSync(folder, { recursive: true })
    // JavaScript: a user of the README types it as it stands there.
    const file = fileURLToPath(new URL('example.js', folder))
    writeFileSync(file, `import { check } from '../../check-output.js'\n${checked}`)
    await import(/* @vite-ignore */ file)
  })
})
