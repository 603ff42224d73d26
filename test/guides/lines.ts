import { changes } from './changes.js'
import { designs } from './designs.js'
import { keys } from './keys.js'
import type { Line } from './line.js'
import { partitioning } from './partitioning.js'
import { queries } from './queries.js'

/** The tests of the guides by file, made for one store. */
export function linesOfGuides(): Readonly<Record<string, readonly Line[]>> {
  return Object.fromEntries(
    Object.entries({ queries, keys, designs, partitioning, changes }).map(([file, add]) => {
      const lines: Line[] = []
      add((title, run, refused = {}) => lines.push({ title, run, refused }))
      return [`test/guides/${file}.ts`, lines]
    }),
  )
}
