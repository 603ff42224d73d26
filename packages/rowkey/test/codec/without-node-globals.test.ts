import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build, type LibraryOptions, type Rollup } from 'vite'
import { expect, test } from 'vitest'

/** The whole package as one module; an import of anything outside it would fail the build or stay visible. */
async function bundle(): Promise<Rollup.OutputChunk> {
  const entry = fileURLToPath(new URL('../../src/codec/index.ts', import.meta.url))
  const lib: LibraryOptions = { entry, formats: ['es'], fileName: 'codec' }
  const built = await build({ configFile: false, logLevel: 'silent', build: { write: false, minify: false, target: 'es2022', lib } })
  const [result] = [built].flat() as Rollup.RollupOutput[]
  return (result as Rollup.RollupOutput).output[0]
}

const script = (module: string): string => `
  delete globalThis.Buffer
  delete globalThis.process
  const { bucket, bytes, desc, hashPrefix, int64, keyLayout, nullable, text, timestamp, toHex } = await import(${JSON.stringify(module)})
  const layout = keyLayout([['host', text()], ['raw', bytes()], ['at', desc(timestamp('ms'))], ['n', nullable(int64())]],
    { salt: [bucket({ of: 'host', count: 16 }), hashPrefix({ of: 'host' })] })
  const key = { host: 'wéb\\0', raw: Uint8Array.of(0, 255), at: new Date(5), n: null }
  const encoded = layout.encode(key)
  const back = layout.decode(encoded)
  console.log(JSON.stringify([typeof Buffer, typeof process, toHex(encoded), back.host, [...back.raw], back.at.getTime(), back.n,
    toHex(layout.bound({ host: 'x' }, 'after'))]))
`

test('encodes and decodes without Buffer and process', async () => {
  const chunk = await bundle()
  expect([...chunk.imports, ...chunk.dynamicImports]).toEqual([])
  const module = `data:text/javascript;base64,${Buffer.from(chunk.code).toString('base64')}`
  const output = execFileSync(process.execPath, ['--input-type=module'], { input: script(module), encoding: 'utf8' })
  const [buffer, nodeProcess, hex, host, raw, at, n, bound] = JSON.parse(output) as unknown[]
  expect([buffer, nodeProcess]).toEqual(['undefined', 'undefined'])
  expect([host, raw, at, n]).toEqual(['wéb\0', [0, 255], 5, null])
  expect(hex).toMatch(/^0[0-9a-f](?:3[0-9]|6[1-6]){4}77c3a962000100000001ff00007ffffffffffffffa00$/)
  expect(bound).toMatch(/^0[0-9a-f](?:3[0-9]|6[1-6]){4}780001$/)
}, 30_000)
