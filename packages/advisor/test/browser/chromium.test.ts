import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build, type Rollup } from 'vite'
import { expect, test } from 'vitest'
import { browse, chromium } from '../../../rowkey/test/codec/browser/chromium.js'

const missing = 'skipped: no chromium, chromium-browser or google-chrome on the PATH'
const isRequired = process.env['ROWKEY_REQUIRE_CHROMIUM'] === '1'

/** The page's module and all that it imports, as one. */
async function bundled(): Promise<string> {
  const entry = fileURLToPath(new URL('page.ts', import.meta.url))
  const [output] = (await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['@rowkey/source'] },
    build: { write: false, target: 'es2022', lib: { entry, formats: ['es'] } },
  })) as Rollup.RollupOutput[]
  const [{ code }] = output?.output ?? ([{ code: '' }] as never)
  return code
}

test('in Chromium the advisor finds the same as in Node.js', async ({ skip }) => {
  skip(chromium === undefined && !isRequired, missing)
  const designs = readFileSync(new URL('../golden/findings.json', import.meta.url), 'utf8')
  const script = await bundled()
  const server = createServer()
  const found = new Promise<unknown>((resolve) => {
    server.on('request', (request, response) => {
      if (request.url === '/found') {
        const parts: Buffer[] = []
        request.on('data', (part: Buffer) => parts.push(part)).on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString())))
      }
      const page = '<!doctype html><title>advisor</title><script type="module" src="/page.js"></script>'
      const [type, body] =
        request.url === '/page.js'
          ? ['text/javascript', script]
          : request.url === '/designs'
            ? ['application/json', designs]
            : ['text/html', page]
      response.setHeader('Content-Type', `${type}; charset=utf-8`).end(body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const advice = await browse(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, found, 120_000)
    expect(advice).toEqual((JSON.parse(designs) as { advice: unknown }[]).map((design) => design.advice))
  } finally {
    server.close().closeAllConnections()
  }
})
