import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { published, root } from './workspace.mjs'

test('sources: no file is longer than 350 lines', () => {
  const lengths = published
    .flatMap(({ folder }) => sourcesOf(folder))
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }))
    .toSorted((a, b) => a.lines - b.lines)
  const [median, longest] = [lengths[lengths.length >> 1], lengths.at(-1)]
  console.log(`${lengths.length} source files, median ${median?.lines ?? 0} lines, longest ${longest?.lines ?? 0} (${longest?.path ?? ''})`)
  expect(lengths.length).toBeGreaterThan(100)
  expect(lengths.filter(({ lines }) => lines > 350)).toEqual([])
})

function sourcesOf(folder: string): readonly string[] {
  const names = readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, 'src', name))
}
