import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vectorModule } from './vectors.js'

/** What packages/rowkey/test/codec/browser/host/work.mjs gives. */
export interface Work {
  /** Per vector: hex of a cold and of a hot layout, the key that came back, its hex, and the refusal of the bytes without their first. */
  readonly vectors: readonly (readonly [cold: string, hot: string, back: string, again: string, refusal: string])[]
  /** Per layout the hex of its keys. */
  readonly random: readonly (readonly string[])[]
  readonly formats: readonly string[]
  /** How often code from text was asked for, and how often it was made. */
  readonly code: { readonly asked: number; readonly made: number }
}

const host = fileURLToPath(new URL('../../../../../test/smoke/codec-host.mjs', import.meta.url))

/** The same work on a Node of its own with these flags, on the built codec. */
export function workOfNode(codegen: 'auto' | 'never', ...flags: string[]): Work {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-vectors-'))
  try {
    const vectors = join(folder, 'vectors.mjs')
    writeFileSync(vectors, vectorModule)
    const printed = execFileSync(process.execPath, [...flags, host, codegen, vectors], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    return JSON.parse(printed) as Work
  } finally {
    rmSync(folder, { recursive: true })
  }
}
