import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { read } from '../../../test/docs/pages.js'
import { withServer } from '../../../test/setup/with-server.js'

const folder = new URL('../../../test/docs/.blocks/kudu/', import.meta.url)

withServer('kudu', ({ masters }) => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('the example that needs a server runs as it is, and gives what it says', async () => {
    const [, code = ''] = /```js\n([^]*?)```/.exec(read('adapters/kudu/README.md')) ?? []
    const here = code.replace('127.0.0.1:7051', masters[0] as string).replace("'scores'", "'scores_of_readme'")
    const checked = here.replace(/^(.*?)\s*\/\/=> (.*)$/gm, (_, expression: string, output: string) => {
      return `await check(async () => ${expression}, ${JSON.stringify(output)})`
    })
    expect(checked.split('await check(')).toHaveLength(3)
    mkdirSync(folder, { recursive: true })
    const file = fileURLToPath(new URL('example.ts', folder))
    writeFileSync(file, `import { check } from '../../check-output.js'\n${checked}`)
    await import(/* @vite-ignore */ file)
  })
})
