import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutants } from './mutants.mjs'

// What `pnpm mutants` plants, without planting it: a source that was changed may no longer have the text that a mutant replaces.

const root = new URL('../../', import.meta.url)

test.each(mutants)('$name: its text is exactly once in its file, and its tests are there', ({ edits, tests = [] }) => {
  expect(edits.length).toBeGreaterThan(0)
  for (const [file, from, to] of edits) {
    expect(readFileSync(new URL(file, root), 'utf8').split(from), `${file}: ${from}`).toHaveLength(2)
    expect(to).not.toBe(from)
  }
  for (const file of tests) expect(existsSync(new URL(file, root)), file).toBe(true)
})
