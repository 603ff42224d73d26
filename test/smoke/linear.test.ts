import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Rollup } from 'vite'
import { expect, test } from 'vitest'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The sources of all entries as one module, for processes without a test runner. */
async function bundle(folder: string): Promise<string> {
  const entry = join(folder, 'entry.ts')
  const entries = ['codec/index.ts', 'codec/internal.ts', 'formats/hbase/index.ts', 'formats/kudu/index.ts']
  const sources = entries.map((path) => here(`../../packages/rowkey/src/${path}`))
  writeFileSync(entry, sources.map((path) => `export * from ${JSON.stringify(path)}\n`).join(''))
  const lib = { entry, formats: ['es' as const], fileName: 'codec' }
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['@rowkey/source'] },
    build: { write: false, minify: false, target: 'es2022', lib },
  })
  const [result] = [built].flat() as Rollup.RollupOutput[]
  const path = join(folder, 'codec.mjs')
  writeFileSync(path, (result as Rollup.RollupOutput).output[0].code)
  return pathToFileURL(path).href
}

test('every column type is encoded, decoded and compared in time that grows with its length', { timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-linear-'))
  try {
    const module = await bundle(folder)
    expect(execFileSync(process.execPath, [here('linear.mjs'), module], { encoding: 'utf8' })).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
